package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JettyIT {
    private static final String PROGRAM = """
            import java.util.concurrent.CountDownLatch;
            import org.eclipse.jetty.client.HttpClient;
            public class Queues {
                /** Of five requests one is sent, one fits into the queue, and the others do not. */
                public static void main(String[] args) throws Exception {
                    HttpClient client = new HttpClient();
                    client.setMaxConnectionsPerDestination(1);
                    client.setMaxRequestsQueuedPerDestination(1);
                    client.start();
                    CountDownLatch answered = new CountDownLatch(5);
                    for (int i = 0; i < 5; i++) {
                        client.newRequest(args[0] + i).send(result -> {
                            if (result.isFailed()) {
                                result.getFailure().printStackTrace(System.out);
                            }
                            answered.countDown();
                        });
                    }
                    answered.await();
                    client.stop();
                }
            }
            """;

    /** It was handed over by the agent, whose frames were in it. */
    @Test
    void aFailureAfterAWaitHasTheClientsStack() {
        List<Path> jars = Source.jarsOf("jetty-12-newest");
        Fork.Builder builder = Jvm.on(25).agent("exclude=-private,user-agent.check=off,rate=4,burst=1,learn=false")
                .classpath(Source.compile(17, jars, PROGRAM));
        jars.forEach(builder::classpath);
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.97", exchange -> exchange.pause(Duration.ofSeconds(4)).status(200).send("page"));
            try (Fork fork = builder.main("Queues", site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertTrue(count(fork, "RejectedExecutionException: Max") > count(fork, "Queues.main"), fork::stdout);
                assertFalse(fork.stdout().contains("tempolimit") || fork.stdout().contains("TempolimitBridge"), fork::stdout);
            }
        }
    }

    private static int count(Fork fork, String what) {
        return fork.stdout().split(what, -1).length - 1;
    }
}
