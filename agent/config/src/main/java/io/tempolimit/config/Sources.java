package io.tempolimit.config;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where settings come from, but for the file, which one of these names. A snapshot: later changes of system properties
 * change nothing. Immutable.
 */
public final class Sources {
    static final String PROPERTY = "tempolimit.";
    static final String VARIABLE = "TEMPOLIMIT_";
    /** Far more than any settings; reading something endless, such as a device, must end. */
    private static final int LARGEST_FILE = 16 << 20;

    private final String arguments;
    private final Map<String, String> properties;
    private final Map<String, String> environment;

    /**
     * @param arguments   what follows {@code -javaagent:tempolimit-agent.jar=}, as {@code key=value,key=value}; may be null
     * @param properties  system properties; only those are looked at that begin with {@code tempolimit.}, in whatever case and with
     *                    whatever separator: one that is written in another way is told
     * @param environment environment variables; likewise with {@code TEMPOLIMIT_}. An empty one is unset, as templates of
     *                    containers leave it
     */
    public Sources(String arguments, Map<String, String> properties, Map<String, String> environment) {
        this.arguments = arguments == null ? "" : arguments;
        this.properties = ours(properties, true);
        this.environment = ours(environment, false);
    }

    /** The same with more agent arguments: what they say of a key replaces what the arguments said of it before. */
    public Sources with(String more) {
        StringBuilder all = new StringBuilder(more);
        Set<String> given = new HashSet<String>();
        for (String argument : SettingKey.split(more, ',')) {
            given.add(key(argument));
        }
        for (String argument : SettingKey.split(arguments, ',')) {
            if (!given.contains(key(argument))) {
                all.append(',').append(argument);
            }
        }
        return new Sources(all.toString(), properties, environment);
    }

    /** The same agent arguments for a JVM whose working directory is another one. */
    public static String withAbsoluteFiles(String arguments) {
        StringBuilder all = new StringBuilder();
        for (String argument : SettingKey.split(arguments, ',')) {
            SettingKey key = SettingKey.named(key(argument));
            String value = argument.substring(argument.indexOf('=') + 1).trim();
            boolean secret = key != null && key.secret && value.startsWith("@");
            boolean path = key != null && key.isFile(value);
            all.append(all.length() == 0 ? "" : ",").append(secret ? key.key + "=@" + new File(value.substring(1)).getAbsolutePath()
                    : path ? key.key + "=" + new File(value).getAbsolutePath() : argument);
        }
        return all.toString();
    }

    /** Whether agent arguments say anything of this key, for all hosts. */
    public static boolean names(String arguments, String key) {
        for (String argument : SettingKey.split(arguments, ',')) {
            if (key(argument).equals(key)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether {@code enabled=false} stands in the strongest source that has the key; the file is not asked. Then the agent does
     * nothing, and nothing else is read or checked. A value that is neither {@code false} nor {@code true} is a fault in
     * {@link Settings#load}.
     */
    public boolean disabled() {
        String found = null;
        for (String argument : SettingKey.split(arguments, ',')) {
            if (argument.indexOf('=') > 0 && key(argument).equals("enabled")) {
                found = found == null ? argument.substring(argument.indexOf('=') + 1) : ""; // given twice: a fault
            }
        }
        if (found == null) {
            found = properties.get(PROPERTY + "enabled");
        }
        if (found == null) {
            found = environment.get(VARIABLE + "ENABLED");
        }
        return found != null && found.trim().equals("false");
    }

    private static String key(String argument) {
        int equals = argument.indexOf('=');
        return equals < 0 ? argument : argument.substring(0, equals).trim();
    }

    /** Those of this JVM. */
    public static Sources ofJvm(String arguments) {
        Map<String, String> own = new TreeMap<String, String>();
        Properties all = System.getProperties();
        for (String name : all.stringPropertyNames()) { // a copy, so the application may go on setting some
            if (ours(name)) {
                String value = all.getProperty(name);
                if (value != null) {
                    own.put(name, value);
                }
            }
        }
        return new Sources(arguments, own, System.getenv());
    }

    /** Sorted, so that faults come in the same order each time. */
    private static Map<String, String> ours(Map<String, String> all, boolean empty) {
        Map<String, String> some = new TreeMap<String, String>();
        for (Map.Entry<String, String> e : all.entrySet()) {
            if (ours(e.getKey()) && (empty || !e.getValue().trim().isEmpty())) {
                some.put(e.getKey(), e.getValue());
            }
        }
        return some;
    }

    /** Whether this is meant as one of our names, in whatever way it is written. */
    private static boolean ours(String name) {
        int end = PROPERTY.length() - 1;
        return name.length() > end && (name.charAt(end) == '.' || name.charAt(end) == '_' || name.charAt(end) == '-')
                && name.regionMatches(true, 0, PROPERTY, 0, end);
    }

    String arguments() {
        return arguments;
    }

    Map<String, String> properties() {
        return properties;
    }

    Map<String, String> environment() {
        return environment;
    }

    /**
     * With java.io alone: java.nio.file in premain deadlocks some JVMs (JDK-8194653).
     *
     * @throws IOException with what is wrong, for a fault's line
     */
    static byte[] read(String path) throws IOException {
        File file = new File(path);
        if (file.isDirectory()) {
            throw new IOException("is a directory");
        }
        if (!file.exists()) {
            throw new IOException("no such file: " + file.getAbsolutePath());
        }
        InputStream in;
        try {
            in = new FileInputStream(file);
        } catch (FileNotFoundException e) {
            throw new IOException("cannot be read: " + e.getMessage());
        }
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
            byte[] buffer = new byte[4096];
            for (int n; (n = in.read(buffer)) >= 0; ) {
                out.write(buffer, 0, n);
                if (out.size() > LARGEST_FILE) {
                    throw new IOException("is larger than 16 MB");
                }
            }
            return out.toByteArray();
        } finally {
            in.close();
        }
    }
}
