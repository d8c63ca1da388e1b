package io.tempolimit.it.harness;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import net.bytebuddy.jar.asm.ClassReader;

/** The classes that the agent's jar hides: all of a package in one entry, as the jar's build puts them together. */
public final class Hidden {
    /** Where they are. */
    public static final String ROOT = "META-INF/tempolimit/";
    private static final String CLASSES = ".classes";

    private Hidden() {
    }

    /** All of them, by their names with slashes. */
    public static Map<String, byte[]> classes() throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        try (JarFile jar = new JarFile(Fork.agentJar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (isPackage(entry.getName())) {
                    all.putAll(classes(jar, entry));
                }
            }
        }
        return all;
    }

    /**
     * Makes a copy of the agent's jar.
     *
     * @param changed the classes that are others in the copy, or are new there, by their names with slashes
     */
    public static void copy(Path to, Map<String, byte[]> changed) throws IOException {
        Map<String, byte[]> left = new LinkedHashMap<>(changed);
        try (JarFile jar = new JarFile(Fork.agentJar().toFile());
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(to), jar.getManifest())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(isPackage(entry.getName()) ? changed(jar, entry, left) : read(jar, entry));
                }
            }
            for (String name : Map.copyOf(left).keySet()) { // in packages of their own
                if (left.containsKey(name)) {
                    String folder = name.substring(0, name.lastIndexOf('/') + 1);
                    out.putNextEntry(new JarEntry(ROOT + folder.substring(0, folder.length() - 1).replace('/', '.') + CLASSES));
                    out.write(packed(taken(folder, left)));
                }
            }
        }
    }

    private static boolean isPackage(String entry) {
        return entry.startsWith(ROOT) && entry.endsWith(CLASSES);
    }

    private static String folder(String entry) {
        return entry.substring(ROOT.length(), entry.length() - CLASSES.length()).replace('.', '/') + "/";
    }

    private static byte[] changed(JarFile jar, JarEntry entry, Map<String, byte[]> changes) throws IOException {
        Map<String, byte[]> classes = classes(jar, entry);
        classes.putAll(taken(folder(entry.getName()), changes));
        return packed(classes);
    }

    /** Those of a folder, which are in {@code changes} no more. */
    private static Map<String, byte[]> taken(String folder, Map<String, byte[]> changes) {
        Map<String, byte[]> taken = new LinkedHashMap<>();
        changes.forEach((name, bytes) -> {
            if (name.lastIndexOf('/') == folder.length() - 1 && name.startsWith(folder)) {
                taken.put(name, bytes);
            }
        });
        changes.keySet().removeAll(taken.keySet());
        return taken;
    }

    private static Map<String, byte[]> classes(JarFile jar, JarEntry entry) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(read(jar, entry));
        Map<String, byte[]> classes = new LinkedHashMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            in.getInt(); // the hash of its name
            int from = in.getInt();
            byte[] bytes = Arrays.copyOfRange(in.array(), from, from + in.getInt());
            classes.put(new ClassReader(bytes).getClassName(), bytes);
        }
        return classes;
    }

    private static byte[] packed(Map<String, byte[]> classes) throws IOException {
        Map<Integer, byte[]> sorted = new TreeMap<>();
        classes.forEach((name, bytes) -> sorted.put(name.substring(name.lastIndexOf('/') + 1).hashCode(), bytes));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(sorted.size());
        int from = 4 + sorted.size() * 12;
        for (Map.Entry<Integer, byte[]> type : sorted.entrySet()) {
            out.writeInt(type.getKey());
            out.writeInt(from);
            out.writeInt(type.getValue().length);
            from += type.getValue().length;
        }
        for (byte[] type : sorted.values()) {
            out.write(type);
        }
        return bytes.toByteArray();
    }

    private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
