package io.tempolimit.it.programs;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the agent in this JVM says of a key. */
final class Statistics {
    private Statistics() {
    }

    /** As JSON, in one line. The agent registers soon after the server was made. */
    static String of(String key) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        for (long end = System.nanoTime() + 20_000_000_000L; !server.isRegistered(name) && System.nanoTime() < end; ) {
            Thread.sleep(5);
        }
        return String.valueOf(server.invoke(name, "stats", new Object[] {key}, new String[] {"java.lang.String"}))
                .replaceAll("\\R\\s*", " ");
    }
}
