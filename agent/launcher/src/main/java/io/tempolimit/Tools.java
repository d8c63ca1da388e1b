package io.tempolimit;

import java.io.File;

/**
 * Tools of the JDK and of builds, and the agent's own commands. They meet the agent where the environment gives it to every
 * JVM, and are left alone there. Where a command line names the agent, it is meant. What runs a user's script is no tool,
 * though the same class may compile as well.
 */
final class Tools {
    /** Variables by which a JVM, or its launcher, gets options. */
    private static final String[] VARIABLES = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"};
    /** Beginnings of main classes. */
    private static final String[] MAIN_CLASSES = {
        "com.sun.tools.", "sun.tools.", "sun.security.tools.", "jdk.", "sun.jvmstat.", "sun.rmi.", "sun.applet.",
        "com.sun.java.util.jar.pack.", "com.sun.corba.", "com.sun.xml.internal.", "com.sun.jndi.rmi.",
        "org.apache.maven.cli.", "org.apache.maven.wrapper.", "org.codehaus.plexus.classworlds.launcher.Launcher",
        "org.codehaus.classworlds.Launcher",
        "org.mvndaemon.", "org.gradle.launcher.", "org.gradle.wrapper.", "org.gradle.internal.daemon.",
        "xsbt.boot.", "sbt.internal.", "sbt.xMain", "sbtn.", "org.apache.tools.ant.", "org.jetbrains.kotlin.daemon.",
        "org.jetbrains.kotlin.cli.",
        "org.jetbrains.kotlin.preloading.", "org.jetbrains.jps.cmdline.", "scala.tools.nsc.", "dotty.tools.", "bloop.",
        "org.codehaus.groovy.tools.", "io.tempolimit.Agent",
    };
    /**
     * Beginnings of those among them that run scripts: {@code java Scraper.java}, what jshell runs its lines in, jrunscript, jjs,
     * and the runners of Scala 2 and 3.
     */
    private static final String[] SCRIPT_CLASSES = {
        "com.sun.tools.javac.launcher.", "jdk.jshell.execution.", "com.sun.tools.script.shell.", "jdk.nashorn.tools.",
        "scala.tools.nsc.MainGenericRunner", "dotty.tools.MainGenericRunner", "dotty.tools.repl.", "dotty.tools.scripting.",
    };
    /**
     * Beginnings of others, each with the words of a command that runs a script: Groovy's launcher, Kotlin's compiler, and jshell
     * where it runs its lines in its own JVM.
     */
    private static final String[][] SCRIPT_WORDS = {
        {"org.codehaus.groovy.tools.", " --main groovy.ui.", " --main groovy.console.", " --main org.apache.groovy.groovysh.",
            " --main org.codehaus.groovy.tools.shell."},
        {"org.jetbrains.kotlin.", " -script ", " -expression ", " -Xrepl"},
        {"jdk.internal.jshell.", " --execution local", " --execution=local"},
    };
    /** Where a jar is started, its file name is known instead. */
    private static final String[] JARS = {
        "maven-wrapper", "gradle-wrapper", "gradle-launcher", "sbt-launch", "ant-launcher", "plexus-classworlds", "kotlin-compiler",
        "tempolimit-agent",
    };

    private Tools() {
    }

    /** Whether this JVM runs such a tool, and has the agent from the environment. */
    static boolean spared(File agent) {
        for (String variable : VARIABLES) {
            String options = System.getenv(variable);
            if (options != null && options.contains(agent.getName())) {
                return isTool(System.getProperty("sun.java.command"), System.getProperty("java.class.path", ""), agent.getName());
            }
        }
        return false;
    }

    /**
     * @param command   main class, or module and main class, or jar, then arguments; null if the JVM was not started by a launcher
     * @param classPath begins with the jar, if one is started; its name may have blanks, which {@code command} does not tell from others
     * @param agent     file name of the agent's jar
     */
    static boolean isTool(String command, String classPath, String agent) {
        if (command == null || command.isEmpty()) {
            return false;
        }
        int separator = classPath.indexOf(File.pathSeparatorChar);
        String jar = separator < 0 ? classPath : classPath.substring(0, separator);
        if (jar.endsWith(".jar") && (command.equals(jar) || command.startsWith(jar + " "))) {
            String file = new File(jar).getName();
            return file.equals(agent) || startsWithAny(file, JARS);
        }
        int end = command.indexOf(' ');
        String main = end < 0 ? command : command.substring(0, end);
        String type = main.substring(main.indexOf('/') + 1);
        boolean tool = startsWithAny(type, MAIN_CLASSES) || startsWithAny(main, MAIN_CLASSES);
        return tool && !runsScript(type, end < 0 ? "" : command.substring(end));
    }

    private static boolean runsScript(String type, String arguments) {
        for (String[] words : SCRIPT_WORDS) {
            for (int i = 1; i < words.length && type.startsWith(words[0]); i++) {
                if (arguments.contains(words[i])) {
                    return true;
                }
            }
        }
        return startsWithAny(type, SCRIPT_CLASSES);
    }

    private static boolean startsWithAny(String name, String[] beginnings) {
        for (String b : beginnings) {
            if (name.startsWith(b)) {
                return true;
            }
        }
        return false;
    }
}
