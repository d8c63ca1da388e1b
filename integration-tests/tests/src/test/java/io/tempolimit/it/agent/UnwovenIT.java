package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that is known and not woven is named, once; one that the settings leave out is left alone. */
class UnwovenIT {
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void isNamedOnce(int java) {
        Path program = Source.compile(8, "package com.linecorp.armeria.client;\npublic class HttpClientDelegate { }",
                "package io.micronaut.http.client.netty;\npublic class DefaultHttpClient { }", """
                import java.net.*;
                public class Loads {
                    public static void main(String[] args) throws Exception {
                        Class.forName("com.linecorp.armeria.client.HttpClientDelegate");
                        URL here = Loads.class.getProtectionDomain().getCodeSource().getLocation();
                        // once more, in another loader
                        new URLClassLoader(new URL[] {here}, null).loadClass("com.linecorp.armeria.client.HttpClientDelegate");
                        Class.forName("io.micronaut.http.client.netty.DefaultHttpClient");
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("Loads").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> lines = Jvm.lines(fork.stderr());
            assertEquals(2, lines.size(), fork::stderr);
            assertEquals(1, lines.stream().filter(l -> l.contains("WARN Armeria is not paced")).count(), fork::stderr);
            assertEquals(1, lines.stream().filter(l -> l.contains("WARN Micronaut HttpClient is not paced")).count(), fork::stderr);
        }
    }

    /** Ktor's server and its other engines have the same channels as its engine CIO. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aLibraryWithoutItsClientIsNotNamed(int java) {
        Path program = Source.compile(8, """
                package io.ktor.utils.io;
                public class ByteChannel {
                    Object flushBuffer;
                    Object flushBufferMutex;
                    public static void main(String[] args) {
                        new ByteChannel().moveFlushToReadBuffer();
                    }
                    void moveFlushToReadBuffer() {
                        System.out.println("read");
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("io.ktor.utils.io.ByteChannel").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("read", fork.stdout().trim());
            assertEquals("", fork.stderr());
        }
    }

    /**
     * A client's own jar.
     *
     * @param jar       how its name begins
     * @param className a class that each program with it loads
     * @param name      what it is called
     */
    private record Known(String jar, String className, String name) {
    }

    /**
     * With their own jars; where a client has several versions, the one that has another class, or fewer hooks, stands
     * in the second list.
     */
    private static final List<List<Known>> KNOWN = List.of(List.of(
            new Known("com.ning.async-http-client-1", "com.ning.http.client.AsyncHttpClient", "AsyncHttpClient 1"),
            new Known("com.typesafe.akka.akka-http-core", "akka.http.impl.engine.client.PoolGateway", "Akka HTTP 10.0 and 10.1"),
            new Known("io.micronaut.micronaut-http-client-4", "io.micronaut.http.client.netty.DefaultHttpClient", "Micronaut HttpClient"),
            new Known("io.projectreactor.ipc.reactor-netty-0.7", "reactor.ipc.netty.http.client.HttpClient", "Reactor Netty 0.7"),
            new Known("io.projectreactor.netty.reactor-netty-0.9", "reactor.netty.http.client.HttpClientConnect$MonoHttpConnect",
            "Reactor Netty HttpClient"),
            new Known("io.vertx.vertx-core-3", "io.vertx.core.http.impl.HttpClientImpl", "Vert.x HttpClient"),
            new Known("org.apache.httpcomponents.httpasyncclient-4.0", "org.apache.http.impl.nio.client.DefaultClientExchangeHandlerImpl",
            "Apache HttpAsyncClient 4"),
            new Known("org.apache.httpcomponents.httpasyncclient-4.0", "org.apache.http.impl.nio.client.DefaultAsyncRequestDirector",
                    "Apache HttpAsyncClient 4.0 (DefaultHttpAsyncClient)"),
            new Known("org.apache.httpcomponents.httpclient-4.2", "org.apache.http.impl.client.AbstractHttpClient", "Apache HttpClient 4"),
            new Known("software.amazon.awssdk.aws-crt-client-", "software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient",
            "AWS SDK 2 CRT client"),
            new Known("software.amazon.awssdk.netty-nio-client-2.0", "software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient",
                    "AWS SDK 2 Netty client")), List.of(
            new Known("io.helidon.webclient.helidon-webclient-3", "io.helidon.webclient.NettyClient", "Helidon WebClient 1 to 3"),
            new Known("io.micronaut.micronaut-http-client-5", "io.micronaut.http.client.netty.NettyHttpClient", "Micronaut HttpClient"),
            new Known("org.apache.httpcomponents.httpclient-4.0", "org.apache.http.impl.client.AbstractHttpClient", "Apache HttpClient 4"),
            new Known("software.amazon.awssdk.aws-crt-client-", "software.amazon.awssdk.http.crt.AwsCrtHttpClient",
            "AWS SDK 2 CRT client")));

    /** What they stand on is not there, so no class gets further than to the agent. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void eachIsNamedByItsOwnClasses(int java) {
        Path program = Source.compile(8, """
                import java.io.File;
                import java.net.*;
                public class Finds {
                    /** Arguments: a jar, a class, and so on. */
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < args.length; i += 2) {
                            try {
                                new URLClassLoader(new URL[] {new File(args[i]).toURI().toURL()}, null).loadClass(args[i + 1]);
                            } catch (LinkageError e) {
                                // what it stands on is missing, or it is for a newer Java
                            }
                        }
                    }
                }""");
        for (List<Known> clients : KNOWN) {
            List<String> arguments = new ArrayList<>();
            for (Known client : clients) {
                arguments.add(jar(client.jar()).toString());
                arguments.add(client.className());
            }
            try (Fork fork = Jvm.on(java).agent("").classpath(program).main("Finds", arguments.toArray(String[]::new)).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals(clients.stream().map(Known::name).toList(), warnings(fork).stream()
                        .map(w -> w.substring(0, w.indexOf(" is not paced: "))).toList());
            }
        }
    }

    private static Path jar(String name) {
        return Source.jarsOf("unwoven").stream().filter(f -> f.getFileName().toString().startsWith(name)).findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    /** All that the agent has said; each must be a warning. */
    private static List<String> warnings(Fork fork) {
        List<String> lines = Jvm.lines(fork.stderr()).stream().filter(line -> line.contains("[tempolimit]")).toList();
        return lines.stream().map(line -> line.contains(" WARN ") ? line.substring(line.indexOf(" WARN ") + 6) : line).toList();
    }

    /** Its hooks are there, and what they need is not: the first request tells, and two ways to send make one warning. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aVersionThatIsTooOldIsNamedOnce(int java) {
        List<Path> jars = List.of(jar("com.squareup.okhttp.okhttp-"), jar("com.squareup.okio.okio-"));
        assertEquals(List.of("OkHttp 2 is not paced: version 2.6.0 is older than the hooks"), warningsOf(java, jars, """
                import com.squareup.okhttp.*;
                public class Sends {
                    public static void main(String[] args) throws Exception {
                        OkHttpClient client = new OkHttpClient();
                        Request request = new Request.Builder().url(args[0]).build();
                        for (int i = 0; i < 2; i++) {
                            client.newCall(request).execute().body().string();
                        }
                        client.newCall(request).enqueue(new Callback() {
                            public void onFailure(Request failed, java.io.IOException e) {
                                e.printStackTrace();
                                System.exit(1);
                            }
                            public void onResponse(Response response) {
                                System.exit(0);
                            }
                        });
                    }
                }"""));
    }

    /** Ktor 1: its engine has the same methods, and its plugins are features. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aVersionWithoutAClassIsNamedOnce(int java) {
        Path program = Source.compile(8, """
                package io.ktor.client.engine.cio;
                public class CIOEngine {
                    java.net.Proxy proxy;
                    public Object execute(Object request, Object continuation) {
                        return request;
                    }
                    public void close() {
                    }
                    public static void main(String[] args) {
                        for (int i = 0; i < 2; i++) {
                            System.out.println(new CIOEngine().execute("sent", null));
                        }
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("io.ktor.client.engine.cio.CIOEngine").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("sent", "sent"), Jvm.lines(fork.stdout()));
            assertEquals(List.of("Ktor CIO is not paced: version unknown is older than the hooks"), warnings(fork));
        }
    }

    /** A method that a hook looks for is not there, which is found at the first request. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aVersionThatAHookDoesNotFitIsNamedOnce(int java) {
        List<Path> jars = List.of(jar("org.eclipse.jetty.jetty-client-"), jar("org.eclipse.jetty.jetty-http-"),
                jar("org.eclipse.jetty.jetty-io-"),
                jar("org.eclipse.jetty.jetty-util-"));
        assertEquals(List.of("Jetty HttpClient is not paced: its hooks do not fit this version: "
                + "java.lang.NoSuchMethodException: org.eclipse.jetty.client.HttpDestination.isSecure()"), warningsOf(java, jars, """
                import org.eclipse.jetty.client.*;
                public class Sends {
                    public static void main(String[] args) throws Exception {
                        HttpClient client = new HttpClient();
                        client.start();
                        for (int i = 0; i < 3; i++) {
                            client.GET(args[0]);
                        }
                        client.stop();
                    }
                }"""));
    }

    /** Of a program with these jars that sends three requests. */
    private static List<String> warningsOf(int java, List<Path> jars, String text) {
        Path program = Source.compile(8, jars, text);
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.45", Server.Script.status(200));
            Fork.Builder builder = Jvm.on(java).agent(Jvm.ONE_TOKEN).classpath(program);
            jars.forEach(builder::classpath);
            try (Fork fork = builder.main("Sends", site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals(3, site.arrivals().size());
                List<String> warnings = new ArrayList<>(warnings(fork));
                assertTrue(warnings.removeIf(w -> w.startsWith("not paced: " + site.host() + ", by ")), warnings::toString);
                assertTrue(fork.stderr().contains("NOT paced: 3 requests to " + site.host() + ", by "), fork::stderr);
                return warnings;
            }
        }
    }

    /** One class of the client has its hook, another has not: neither is woven. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aVersionThatLacksAHookIsLeftAlone(int java) {
        Path program = Source.compile(8, "package okhttp3;\npublic class Dispatcher { }", "package okhttp3;\npublic class OkHttpClient { }",
                "package okhttp3;\npublic class RealCall { }", """
                package okhttp3.internal.connection;
                public class ConnectInterceptor {
                    public Object intercept(Object chain) {
                        return chain;
                    }
                }""", """
                public class New {
                    public static void main(String[] args) throws Exception {
                        new okhttp3.Dispatcher();
                        new okhttp3.RealCall();
                        for (int i = 0; i < 2; i++) {
                            System.out.println(new okhttp3.internal.connection.ConnectInterceptor().intercept("went on"));
                        }
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("New").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("went on", "went on"), Jvm.lines(fork.stdout()));
            assertEquals(List.of("OkHttp is not paced: this version has no okhttp3.Dispatcher.enqueue"), warnings(fork));
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void isLeftOut(int java) {
        try (Server server = Server.start()) {
            Server.Site ok = server.site("127.45", Server.Script.status(200));
            Server.Site other = server.site("127.45", Server.Script.status(200));
            Path jars = Source.jarsOf("okhttp-4-newest").get(0).getParent();
            for (String adapter : new String[] {"OkHttp", "UrlConnection"}) {
                Server.Site site = adapter.equals("OkHttp") ? ok : other;
                try (Scraper scraper = Scraper.start(Jvm.scraper(java).jarsOf(jars).agent("clients=-okhttp," + Jvm.ONE_TOKEN), adapter)) {
                    assertEquals("200", scraper.get(site.url("/")));
                    assertEquals(adapter.equals("OkHttp") ? "200" : "io.tempolimit.RequestRejectedException", scraper.get(site.url("/")));
                }
            }
        }
    }
}
