package io.tempolimit.core.runtime;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** How this JVM is called, for files and pages of many. Stateless. */
public final class ThisProcess {
    private ThisProcess() {
    }

    /** Its process id, from a file that only Linux has: that loads no class. Null elsewhere. */
    public static Long pidOnLinux() {
        try {
            return Long.valueOf(new File("/proc/self").getCanonicalFile().getName());
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** Its process id; {@code 0} where nobody tells. */
    public static long pid() {
        Long pid = pidOnLinux();
        if (pid != null) {
            return pid;
        }
        try { // Java 9 and later
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            return (Long) handle.getMethod("pid").invoke(handle.getMethod("current").invoke(null));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return ofManagement();
        }
    }

    /** Java 8 only has it in {@code 4711@scraper-7}. */
    private static long ofManagement() {
        try {
            Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
            Class<?> bean = Class.forName("java.lang.management.RuntimeMXBean");
            String name = (String) bean.getMethod("getName").invoke(factory.getMethod("getRuntimeMXBean").invoke(null));
            return Long.parseLong(name.substring(0, name.indexOf('@')));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return 0;
        }
    }

    /**
     * The name of this machine, pod or container, with letters, digits, dots, dashes and underscores alone; {@code localhost} if it
     * has none.
     */
    public static String host() {
        String name = kernel();
        name = name == null ? System.getenv("HOSTNAME") : name;
        name = name == null ? System.getenv("COMPUTERNAME") : name;
        if (name == null) {
            try {
                name = InetAddress.getLocalHost().getHostName(); // last, for it may ask the network
            } catch (UnknownHostException e) {
                name = "localhost";
            }
        }
        return fileName(name);
    }

    private static String kernel() {
        try (BufferedReader in = new BufferedReader(new FileReader("/proc/sys/kernel/hostname"))) {
            String line = in.readLine();
            return line == null || line.trim().isEmpty() ? null : line.trim();
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static String fileName(String name) {
        StringBuilder s = new StringBuilder(name);
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_')) {
                s.setCharAt(i, '_');
            }
        }
        return s.toString();
    }
}
