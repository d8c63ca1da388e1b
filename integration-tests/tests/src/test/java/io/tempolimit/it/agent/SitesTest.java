package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each site of each client is there in every version of the client that the tests have: its class, its method and its fields. What
 * decides that is the agent's own weaver, without a JVM of its own. {@link HooksIT} runs the result.
 */
class SitesTest {
    private static final Path CLIENTS = Path.of(System.getProperty("tempolimit.clients", "../clients"));
    private static final Path AGENT = Path.of("../../agent");
    /** With the classes of all modules that a client's list of sites needs. */
    private static ClassLoader agent;
    private static List<Object> clients;
    /** The names of the client's sites' classes, with slashes, that some version has. */
    private static final Set<String> SEEN = new HashSet<>();
    private static final Set<String> WRONG = new TreeSet<>();

    @BeforeAll
    static void look() throws Exception {
        List<Path> modules = new ArrayList<>(List.of(AGENT.resolve("weave/target/classes"), AGENT.resolve("core/target/classes")));
        List<Path> folders = folders(AGENT.resolve("clients"), "target/classes");
        modules.addAll(folders);
        agent = new URLClassLoader(Stream.concat(modules.stream(),
                Stream.of(jarOf("net.bytebuddy.jar.asm.ClassReader"))).map(SitesTest::url)
                .toArray(URL[]::new), null);
        clients = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".class") && !f.toString().contains("hooks")).toList()) {
                    clients.addAll(constants(folder.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "")));
                }
            }
        }
        for (Path lib : folders(CLIENTS, "target/lib")) {
            if (!lib.startsWith(CLIENTS.resolve("unwoven"))) { // whose versions are too old
                check(lib);
            }
        }
    }

    private static List<Path> folders(Path parent, String below) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.map(folder -> folder.resolve(below)).filter(Files::isDirectory).sorted().toList();
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Path jarOf(String className) throws Exception {
        return Path.of(Class.forName(className).getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<Object> constants(String className) throws ReflectiveOperationException {
        List<Object> found = new ArrayList<>();
        for (Field field : Class.forName(className, true, agent).getDeclaredFields()) {
            if (field.getType().getName().equals("io.tempolimit.weave.Client")) {
                found.add(field.get(null));
            }
        }
        return found;
    }

    /** Weaves what is there of each client that is there. */
    private static void check(Path lib) throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        Set<String> wanted = new HashSet<>();
        for (Object client : clients) {
            wanted.add(anchor(client));
            for (Object site : sites(client)) {
                wanted.add((String) get(site, "className"));
            }
        }
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.filter(j -> j.toString().endsWith(".jar") && j.toFile().length() > 0).toList()) {
                read(jar, wanted, classes);
            }
        }
        for (Object client : clients) {
            if (classes.containsKey(anchor(client))) {
                weave(client, classes, lib.getParent().getParent().getFileName() + ": ");
            }
        }
    }

    private static void read(Path jar, Set<String> wanted, Map<String, byte[]> classes) {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (String name : wanted) {
                if (file.getEntry(name + ".class") != null) {
                    try (InputStream in = file.getInputStream(file.getEntry(name + ".class"))) {
                        classes.put(name, in.readAllBytes());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void weave(Object client, Map<String, byte[]> classes, String where) throws Exception {
        Map<String, List<Object>> byClass = new HashMap<>();
        for (Object site : sites(client)) {
            byClass.computeIfAbsent((String) get(site, "className"), c -> new ArrayList<>()).add(numbered(site));
        }
        for (Map.Entry<String, List<Object>> one : byClass.entrySet()) {
            byte[] bytes = classes.get(one.getKey());
            if (bytes == null) {
                continue; // some classes are of other versions
            }
            SEEN.add(one.getKey());
            weave(bytes, one.getValue());
            for (Object numbered : one.getValue()) {
                Object site = get(numbered, "site");
                if (!(Boolean) get(numbered, "found") && !(Boolean) get(site, "optional")) {
                    WRONG.add(where + site);
                }
            }
        }
    }

    private static Object numbered(Object site) {
        try {
            Constructor<?> constructor = Class.forName("io.tempolimit.weave.Weaver$Numbered", true, agent).getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return constructor.newInstance(site, 0);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void weave(byte[] bytes, List<Object> sites) throws ReflectiveOperationException {
        Class<?> weaver = Class.forName("io.tempolimit.weave.Weaver", true, agent);
        Constructor<?> constructor = weaver.getDeclaredConstructor(byte[].class, List.class);
        constructor.setAccessible(true);
        Method weave = weaver.getDeclaredMethod("weave");
        weave.setAccessible(true);
        weave.invoke(constructor.newInstance(bytes, sites));
    }

    private static String anchor(Object client) throws ReflectiveOperationException {
        return ((String) get(client, "anchor")).replace('.', '/');
    }

    private static Object[] sites(Object client) throws ReflectiveOperationException {
        return (Object[]) get(client, "sites");
    }

    private static Object get(Object object, String field) throws ReflectiveOperationException {
        Field f = object.getClass().getDeclaredField(field);
        f.setAccessible(true);
        return f.get(object);
    }

    @Test
    void eachIsThereInEachVersion() {
        assertEquals(Set.of(), WRONG);
    }

    /** Those of the JVM itself are in no jar, and an optional one may be of a version that the tests do not have. */
    @Test
    @Tag("versions")
    void eachClassIsThereInSomeVersion() throws ReflectiveOperationException {
        Set<String> missing = new TreeSet<>();
        for (Object client : clients) {
            for (Object site : sites(client)) {
                String name = (String) get(site, "className");
                if (!SEEN.contains(name) && !(Boolean) get(site, "optional") && !name.matches("(java|sun|jdk)/.*")) {
                    missing.add(name);
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    /** By so many the transformer tells them from others, whatever stands between them and their package. */
    @Test
    void eachClassHasAtLeastThreeLetters() throws ReflectiveOperationException {
        Set<String> tooShort = new TreeSet<>();
        for (Object client : clients) {
            for (Object site : sites(client)) {
                String name = (String) get(site, "className");
                if (!name.matches(".*/[^/]{3,}")) {
                    tooShort.add(name);
                }
            }
        }
        assertEquals(Set.of(), tooShort);
    }

    @Test
    void eachHookIsThere() throws ReflectiveOperationException {
        Set<String> missing = new TreeSet<>();
        for (Object client : clients) {
            for (Object site : sites(client)) {
                String hook = (String) get(site, "hook");
                hook = hook.contains(".") ? hook : get(client, "hooks") + "." + hook;
                if (agent.getResource(hook.replace('.', '/') + ".class") == null) {
                    missing.add(hook);
                }
            }
        }
        assertEquals(Set.of(), missing);
    }
}
