package io.tempolimit.it.programs;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the agent in this JVM says. */
final class Statistics {
    private Statistics() {
    }

    /** Of a key, as JSON in one line. */
    static String of(String key) throws Exception {
        return line(server().invoke(name(), "stats", new Object[] {key}, new String[] {"java.lang.String"}));
    }

    /** Of all, as JSON in one line. */
    static String ofAll() throws Exception {
        return line(server().getAttribute(name(), "StatsJson"));
    }

    private static ObjectName name() throws Exception {
        return new ObjectName("io.tempolimit:type=Limiter");
    }

    /** The agent registers soon after the server was made. */
    private static MBeanServer server() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (long end = System.nanoTime() + 20_000_000_000L; !server.isRegistered(name()) && System.nanoTime() < end; ) {
            Thread.sleep(5);
        }
        return server;
    }

    private static String line(Object json) {
        return String.valueOf(json).replaceAll("\\R\\s*", " ");
    }
}
