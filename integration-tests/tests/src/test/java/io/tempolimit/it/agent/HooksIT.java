package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The hooks fit every version of every client that is listed, and every Java: each class to weave is loaded, verified and initialised; an agent that
 * comes later sees its bytes as they are then, and nothing is said.
 */
class HooksIT {
    private static final String DISPATCHER = "okhttp3.Dispatcher";
    private static final String CONNECT = "okhttp3.internal.connection.ConnectInterceptor";
    private static final String DIRECTOR = "org.apache.http.impl.client.DefaultRequestDirector";
    private static final String MAIN = "org.apache.http.impl.execchain.MainClientExec";
    private static final String MINIMAL = "org.apache.http.impl.execchain.MinimalClientExec";
    private static final String ASYNC4 = "org.apache.http.impl.nio.client.";
    private static final List<String> APACHE4_ASYNC = List.of(ASYNC4 + "AbstractClientExchangeHandler", ASYNC4 + "MainClientExec",
            ASYNC4 + "MinimalClientExchangeHandlerImpl", ASYNC4 + "PipeliningClientExchangeHandlerImpl",
            ASYNC4 + "CloseableHttpAsyncClientBase", "org.apache.http.concurrent.BasicFuture");
    private static final String CLASSIC5 = "org.apache.hc.client5.http.impl.classic.";
    private static final String ASYNC5 = "org.apache.hc.client5.http.impl.async.";
    private static final List<String> APACHE5 = List.of(CLASSIC5 + "ConnectExec", CLASSIC5 + "MinimalHttpClient", ASYNC5 + "AsyncConnectExec",
            ASYNC5 + "AsyncConnectExec$1", ASYNC5 + "HttpAsyncMainClientExec", ASYNC5 + "InternalHttpAsyncClient", ASYNC5 + "InternalH2AsyncClient",
            ASYNC5 + "AbstractHttpAsyncClientBase", ASYNC5 + "MinimalHttpAsyncClient", ASYNC5 + "MinimalH2AsyncClient",
            ASYNC5 + "MinimalHttpAsyncClient$InternalAsyncClientEndpoint");

    private static final String REACTOR = "reactor.netty.http.client.HttpClient";
    private static final List<String> REACTOR_NETTY = List.of(REACTOR + "Connect$MonoHttpConnect",
            REACTOR + "Connect$MonoHttpConnect$ClientTransportSubscriber", REACTOR + "Connect$HttpObserver",
            REACTOR + "Connect$HttpClientHandler", REACTOR + "Operations");

    private static final List<String> AHC = List.of("org.asynchttpclient.DefaultAsyncHttpClient",
            "org.asynchttpclient.netty.request.NettyRequestSender", "org.asynchttpclient.netty.NettyResponseFuture",
            "org.asynchttpclient.netty.handler.intercept.Interceptors", "org.asynchttpclient.netty.channel.ChannelManager");

    /** What is to be woven in each version. */
    private static final Map<String, List<String>> CLIENTS = new TreeMap<>(Map.of(
            "okhttp-3-oldest", List.of(DISPATCHER, CONNECT, "okhttp3.RealCall"),
            "okhttp-3-newest", List.of(DISPATCHER, CONNECT, "okhttp3.RealCall"),
            "okhttp-4-oldest", List.of(DISPATCHER, CONNECT, "okhttp3.RealCall"),
            "okhttp-4-newest", List.of(DISPATCHER, CONNECT, "okhttp3.internal.connection.RealCall"),
            "okhttp-5-oldest", List.of(DISPATCHER, CONNECT, "okhttp3.internal.connection.RealCall"),
            "okhttp-5-newest", List.of(DISPATCHER, CONNECT, "okhttp3.internal.connection.RealCall"),
            "apache-4-oldest", List.of(DIRECTOR, MAIN, MINIMAL),
            "apache-4-newest", List.of(DIRECTOR, MAIN, MINIMAL),
            "apache-5-oldest", APACHE5,
            "apache-5-newest", APACHE5));

    static { // Map.of takes ten
        CLIENTS.put("apache-4-async-oldest", APACHE4_ASYNC);
        CLIENTS.put("apache-4-async-newest", APACHE4_ASYNC);
        CLIENTS.put("reactor-netty-oldest", REACTOR_NETTY);
        CLIENTS.put("reactor-netty-newest", REACTOR_NETTY);
        for (String version : List.of("2-oldest", "2-newest", "3-oldest", "3-newest")) {
            CLIENTS.put("async-http-client-" + version, AHC);
        }
    }

    /** The Javas on which some of them can be loaded, and say nothing of it; where nothing is named, it is all. */
    private static final Map<String, Integer> OLDEST_JAVA = Map.of("async-http-client-3-oldest", 11, "async-http-client-3-newest", 11);
    private static final Map<String, Integer> NEWEST_JAVA = Map.of("async-http-client-2-oldest", 8);

    private static final List<String> URL_CONNECTION = List.of("sun.net.www.protocol.http.HttpURLConnection", "sun.net.www.http.HttpClient");
    private static final List<String> HTTP_CLIENT = List.of("jdk.internal.net.http.MultiExchange", "jdk.internal.net.http.HttpClientImpl");

    /** An agent that looks at what the one before it made. */
    private static final Path LOOKER = Source.compile(8, """
            import java.lang.instrument.*;
            import java.nio.charset.StandardCharsets;
            import java.security.ProtectionDomain;
            import java.util.*;
            public class Looker {
                static final Set<String> WOVEN = Collections.synchronizedSet(new HashSet<String>());
                static Instrumentation jvm;
                public static void premain(String arguments, Instrumentation instrumentation) {
                    jvm = instrumentation;
                    instrumentation.addTransformer(new ClassFileTransformer() {
                        public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain d, byte[] bytes) {
                            if (new String(bytes, StandardCharsets.ISO_8859_1).contains("java/lang/TempolimitBridge")) {
                                WOVEN.add((loader instanceof java.net.URLClassLoader && loader != Looker.class.getClassLoader() ? loader.hashCode() : 0) + " " + name);
                            }
                            return null;
                        }
                    }, true);
                }
            }""", """
            import java.io.File;
            import java.net.*;
            public class Load {
                /** Arguments: jars separated by the path separator, or nothing; then the class. */
                public static void main(String[] args) throws Exception {
                    for (int i = 0; i < args.length; i += 2) {
                        ClassLoader loader = null;
                        if (!args[i].isEmpty()) {
                            String[] jars = args[i].split(File.pathSeparator);
                            URL[] urls = new URL[jars.length];
                            for (int j = 0; j < jars.length; j++) {
                                urls[j] = new File(jars[j]).toURI().toURL();
                            }
                            loader = new URLClassLoader(urls, null);
                        }
                        for (String name : args[i + 1].split(",")) {
                            Class<?> type = loader == null ? Class.forName(name) : Class.forName(name, true, loader);
                            Looker.jvm.retransformClasses(type);
                            boolean woven = Looker.WOVEN.contains((loader == null ? 0 : loader.hashCode()) + " " + name.replace('.', '/'));
                            System.out.println((woven ? "woven " : "not woven ") + name + (loader == null ? "" : " of " + new File(args[i].split(File.pathSeparator)[0]).getParentFile().getParentFile().getParentFile().getName()));
                        }
                    }
                }
            }""");
    private static final Path LOOKER_JAR = Source.jar(Source.folder().resolve("looker.jar"), Map.of("Premain-Class", "Looker", "Can-Retransform-Classes", "true"),
            Map.of("", LOOKER), List.of());

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#all")
    void fit(int java) {
        List<String> arguments = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        CLIENTS.forEach((client, classes) -> {
            if (java < OLDEST_JAVA.getOrDefault(client, 8) || java > NEWEST_JAVA.getOrDefault(client, java)) {
                return;
            }
            arguments.add(Source.jarsOf(client).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
            arguments.add(String.join(",", classes));
            classes.forEach(c -> expected.add("woven " + c + " of " + client));
        });
        List<String> ofTheJvm = new ArrayList<>(URL_CONNECTION);
        ofTheJvm.addAll(java < 11 ? List.of() : HTTP_CLIENT);
        arguments.add("");
        arguments.add(String.join(",", ofTheJvm));
        ofTheJvm.forEach(c -> expected.add("woven " + c));
        // The order matters: the one that looks comes second. Verification of the JVM's own classes is off by default.
        Fork.Builder builder = Jvm.on(java).agent("").option("-javaagent:" + LOOKER_JAR)
                .option("-XX:+UnlockDiagnosticVMOptions").option("-XX:+BytecodeVerificationLocal");
        try (Fork fork = builder.main("Load", arguments.toArray(String[]::new)).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(String.join("\n", expected), fork.stdout().trim(), fork::stderr);
            assertEquals("", fork.stderr().replaceAll("(?m)^(SLF4J.*|.*VM warning: .*BytecodeVerificationLocal.*)\\R", ""));
        }
    }
}
