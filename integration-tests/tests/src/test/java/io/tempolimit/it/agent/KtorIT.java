package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Ktor's plugins send by themselves: each retry and each web socket's handshake is a request, and no wait uses up a timeout. */
class KtorIT {
    private static final long SECOND = 1_000_000_000L;

    /** Argument: a URL. The timeout is above the retries, and shorter than their waits together. */
    private static final String PROGRAM = """
            import io.ktor.client.*;
            import io.ktor.client.engine.cio.CIO;
            import io.ktor.client.plugins.*;
            import io.ktor.client.plugins.websocket.*;
            import io.ktor.client.request.*;
            import io.ktor.client.statement.*;
            import kotlin.Unit;
            import kotlin.coroutines.*;
            import kotlin.jvm.functions.*;
            import kotlinx.coroutines.CoroutineScope;
            public class Plugins {
                static <T> T run(Function2<CoroutineScope, Continuation<? super T>, Object> task) throws Exception {
                    return kotlinx.coroutines.BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, task);
                }
                static int get(HttpClient client, String url) throws Exception {
                    HttpRequestBuilder request = new HttpRequestBuilder();
                    HttpRequestKt.url(request, url);
                    return Plugins.<HttpResponse>run((scope, next) -> new HttpStatement(request, client).execute(next))
                            .getStatus().getValue();
                }
                static String handshake(HttpClient client, String url) throws Exception {
                    try {
                        run((scope, next) -> io.ktor.client.plugins.websocket.BuildersKt.webSocketSession(client, url,
                                request -> Unit.INSTANCE, next));
                        return "open";
                    } catch (WebSocketException e) {
                        return "refused";
                    }
                }
                public static void main(String[] args) throws Exception {
                    System.out.println(get(HttpClientKt.HttpClient(CIO.INSTANCE, config -> Unit.INSTANCE), args[0] + "first"));
                    HttpClient client = HttpClientKt.HttpClient(CIO.INSTANCE, config -> {
                        config.install(HttpTimeoutKt.getHttpTimeout(), plugin -> {
                            plugin.setRequestTimeoutMillis(2000L);
                            return Unit.INSTANCE;
                        });
                        config.install(HttpRequestRetryKt.getHttpRequestRetry(), plugin -> {
                            plugin.retryOnServerErrors(2);
                            plugin.constantDelay(1, 0, false);
                            return Unit.INSTANCE;
                        });
                        config.install(WebSockets.Plugin, plugin -> Unit.INSTANCE);
                        return Unit.INSTANCE;
                    });
                    System.out.println(get(client, args[0] + "retry"));
                    System.out.println(handshake(client, args[0].replace("http:", "ws:") + "socket"));
                    client.close();
                }
            }""";

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void eachRetryAndHandshakeTakesATokenAndNoTimeout(int java) {
        List<Path> jars = Source.jarsOf("ktor-3-newest");
        AtomicInteger retries = new AtomicInteger();
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.46", exchange -> exchange
                    .status(exchange.request().path().equals("/retry") && retries.incrementAndGet() < 3 ? 500 : 200).send("page"));
            long begun = System.nanoTime();
            try (Fork fork = Jvm.on(java).agent("exclude=-private,user-agent.check=off,learn=false,rate=1,burst=1")
                    .classpath(Source.compile(8, jars, PROGRAM)).jarsOf(jars.get(0).getParent()).main("Plugins", site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals(List.of("200", "200", "refused"), Jvm.lines(fork.stdout()), fork::stderr);
                assertTrue(!fork.stderr().contains("ERROR"), fork::stderr);
            }
            assertEquals(List.of("/first", "/retry", "/retry", "/retry", "/socket"),
                    site.arrivals().stream().map(Server.Arrival::path).toList());
            List<Long> times = site.times();
            for (int i = 0; i < times.size(); i++) {
                assertTrue(times.get(i) >= begun + i * SECOND, () -> times.stream().map(t -> (t - begun) / 1_000_000).toList().toString());
            }
        }
    }
}
