package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory is short when the agent makes the MBean server for its statistics: they are there later. */
class JmxAgainIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anOutOfMemoryErrorHidesThemForAMoment(int java) {
        Server.Site site = SERVER.site("127.83", Server.Script.status(200));
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                import java.util.List;
                import javax.management.*;
                public class Short extends MBeanServerBuilder {
                    static volatile int asked;
                    @Override
                    public MBeanServer newMBeanServer(String domain, MBeanServer outer, MBeanServerDelegate delegate) {
                        if (++asked == 1) {
                            throw new OutOfMemoryError("for a moment");
                        }
                        return super.newMBeanServer(domain, outer, delegate);
                    }
                    public static void main(String[] args) throws Exception {
                        System.out.println(get(args[0]));
                        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
                        for (int i = 0; i < 3000; i++) {
                            List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
                            if (!servers.isEmpty() && servers.get(0).isRegistered(name)) {
                                System.out.println("registered after " + asked);
                                return;
                            }
                            Thread.sleep(10);
                        }
                    }
                """ + Source.GET + "}");
        try (Fork fork = Jvm.on(java).option("-Djavax.management.builder.initial=Short").option("-Xbootclasspath/a:" + program)
                .agent(Jvm.ONE_TOKEN).main("Short", site.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("200\nregistered after 2\n", fork.stdout(), fork::stderr);
        }
    }
}
