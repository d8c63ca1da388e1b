package io.tempolimit.weave;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Tells classes of other Java agents: the spans and profiles that they send are not the scraper's traffic.
 *
 * <p>A class is an agent's if the boot loader has it and it is not the JVM's (agents put their classes there, applications do not), or
 * if its jar has a {@code Premain-Class} and is not the program itself; and so is what is loaded by a loader whose class is an
 * agent's.
 */
final class OtherAgents {
    private static final String[] JVM = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    private OtherAgents() {
    }

    static boolean have(Class<?> type) {
        for (Class<?> c = type; ; c = c.getClassLoader().getClass()) {
            if (c.getClassLoader() == null) {
                return !ofTheJvm(c.getName());
            }
            if (ofAgentJar(c)) {
                return true;
            }
        }
    }

    private static boolean ofTheJvm(String name) {
        for (String prefix : JVM) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean ofAgentJar(Class<?> type) {
        try {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            URL location = source == null ? null : source.getLocation();
            if (location == null || !location.getProtocol().equals("file") || !location.getPath().endsWith(".jar")) {
                return false;
            }
            File file = new File(new URI(location.toString()));
            return !file.equals(program()) && hasPremain(file);
        } catch (IOException | URISyntaxException | RuntimeException e) {
            return false; // in doubt it is the application's
        }
    }

    /** The first entry of the class path, with {@code java -jar} that jar; an agent's jar is appended. */
    private static File program() {
        String path = System.getProperty("java.class.path", "");
        int end = path.indexOf(File.pathSeparatorChar);
        return new File(end < 0 ? path : path.substring(0, end)).getAbsoluteFile();
    }

    private static boolean hasPremain(File file) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            Manifest manifest = jar.getManifest();
            return manifest != null && manifest.getMainAttributes().getValue("Premain-Class") != null;
        }
    }
}
