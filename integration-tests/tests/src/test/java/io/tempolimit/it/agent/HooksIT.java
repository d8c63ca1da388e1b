package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The hooks fit every version of every client that is listed, and every Java: each class to weave is loaded, verified
 * and initialised, and each
 * method to weave is there; an agent that comes later sees its bytes as they are then, and nothing is said.
 */
class HooksIT {
    private static final String OKHTTP_DISPATCHER = "okhttp3.Dispatcher: cancelAll queuedCalls queuedCallsCount ";
    private static final String OKHTTP_CONNECT = "okhttp3.internal.connection.ConnectInterceptor: intercept";

    private static final String ASYNC4 = "org.apache.http.impl.nio.client.";
    private static final List<String> APACHE4 = List.of(
            "org.apache.http.impl.client.DefaultRequestDirector: execute tryExecute",
            "org.apache.http.impl.execchain.MainClientExec: execute needAuthentication",
            "org.apache.http.impl.execchain.MinimalClientExec: execute");
    private static final List<String> APACHE4_ASYNC = List.of(
            ASYNC4 + "AbstractClientExchangeHandler: cancel close connectionAllocated failed requestConnection",
            ASYNC4 + "MainClientExec: generateRequest responseCompleted responseReceived",
            ASYNC4 + "MinimalClientExchangeHandlerImpl: executionFailed generateRequest responseReceived",
            ASYNC4 + "PipeliningClientExchangeHandlerImpl: generateRequest responseReceived",
            ASYNC4 + "CloseableHttpAsyncClientBase: close",
            "org.apache.http.concurrent.BasicFuture: cancel");

    private static final String CLASSIC5 = "org.apache.hc.client5.http.impl.classic.";
    private static final String ASYNC5 = "org.apache.hc.client5.http.impl.async.";
    private static final List<String> APACHE5 = List.of(
            CLASSIC5 + "ConnectExec: execute", CLASSIC5 + "MinimalHttpClient: doExecute",
            ASYNC5 + "AsyncConnectExec: execute", ASYNC5 + "AsyncConnectExec$1: completed", ASYNC5 + "HttpAsyncMainClientExec: execute",
            ASYNC5 + "InternalHttpAsyncClient: createAsyncExecRuntime", ASYNC5 + "InternalH2AsyncClient: createAsyncExecRuntime",
            ASYNC5 + "AbstractHttpAsyncClientBase: close", ASYNC5 + "MinimalHttpAsyncClient: execute", ASYNC5
            + "MinimalH2AsyncClient: execute",
            ASYNC5 + "MinimalHttpAsyncClient$InternalAsyncClientEndpoint: execute");

    private static final String JETTY = "org.eclipse.jetty.client.";
    private static final String VERTX = "io.vertx.core.http.impl.";
    private static final String PLAYWRIGHT = "com.microsoft.playwright.impl.";
    private static final String JVPPETEER = "com.ruiyun.jvppeteer.";
    private static final String SELENIUM = "org.openqa.selenium.remote.RemoteWebDriver: execute";
    private static final String SELENIUM_CHECKER = "org.openqa.selenium.net.UrlChecker: connectToUrl";
    private static final String NETTY = "reactor.netty.http.client.HttpClient";
    private static final List<String> REACTOR_NETTY = List.of(NETTY + "Connect$MonoHttpConnect: lambda$subscribe$0",
            NETTY + "Connect$MonoHttpConnect$ClientTransportSubscriber: onError onNext", NETTY
            + "Connect$HttpObserver: onUncaughtException",
            NETTY + "Connect$HttpClientHandler: channel", NETTY
            + "Operations: onInboundCancel onInboundClose onInboundNext setNettyResponse");

    private static final String NETTY_ENCODER = "io.netty.handler.codec.http.HttpObjectEncoder: ";
    private static final String NETTY_DECODER = "io.netty.handler.codec.http.HttpObjectDecoder: decode";
    private static final String NETTY_PREFACE = "io.netty.handler.codec.http2.Http2ConnectionHandler$PrefaceDecoder: ";

    private static final String AHC = "org.asynchttpclient.";
    /** A client in one version; each hook is a class, and its methods. */
    private record Version(String folder, int oldestJava, List<String> hooks) {
        Version(String folder, int oldestJava, String... hooks) {
            this(folder, oldestJava, List.of(hooks));
        }
    }

    private static List<String> jetty(String in, String ofDestination, String content) {
        return List.of(in + "HttpDestination: " + ofDestination, in + "HttpConnection: send", in + "HttpConversation: abort",
                in + "HttpReceiver: responseHeaders responseSuccess", in + content, in
                + "HttpExchange: abort requestComplete responseComplete", JETTY + "HttpClient: doStop");
    }

    private static List<String> vertx5(String ofRequest) {
        return List.of(VERTX + "HttpClientImpl: connect doRequest doShutdown", VERTX + "WebSocketClientImpl: doShutdown webSocket",
                VERTX + "UnpooledHttpClientConnection: request", VERTX + "CleanableHttpClient: request", VERTX
                + "CleanableWebSocketClient: connect",
                VERTX + "HttpClientRequestBase: " + ofRequest);
    }

    private static List<String> asyncHttpClient(String more, String... http2) {
        List<String> hooks = new ArrayList<>(List.of(AHC + "DefaultAsyncHttpClient: execute", AHC
                + "netty.NettyResponseFuture: abort cancel done",
                AHC + "netty.request.NettyRequestSender: newNettyResponseFuture sendRequestWithCertainForceConnect " + more,
                AHC + "netty.handler.intercept.Interceptors: exitAfterIntercept", AHC + "netty.channel.ChannelManager: close",
                AHC + "netty.handler.AsyncHttpClientHandler: channelInactive channelRead"));
        hooks.addAll(List.of(http2));
        return hooks;
    }

    private static List<String> ktor(String ofChannel, String killer) {
        return List.of("io.ktor.client.engine.cio.CIOEngine: close execute", "io.ktor.utils.io." + ofChannel,
                "io.ktor.client.plugins.HttpTimeout" + killer + ": invokeSuspend");
    }

    private static final String AWS = "software.amazon.awssdk.http.nio.netty.";
    private static final List<String> AWS_NETTY = List.of(AWS + "NettyNioAsyncHttpClient: close execute",
            AWS + "internal.NettyRequestExecutor: execute", AWS + "internal.RequestContext: handler");

    private static List<String> pekko(String in) {
        String client = in + "http.impl.engine.client.";
        return List.of(client + "PoolMaster: dispatchRequest", client + "PoolFlow$RequestContext: copy",
                client + "pool.SlotState$WaitingForResponseEntitySubscription: onTimeout", client + "PoolInterface$: apply",
                in + "http.scaladsl.HttpExt: _outgoingConnection");
    }

    private static final String HELIDON1 = "io.helidon.webclient.http1.Http1";
    private static final String HELIDON2 = "io.helidon.webclient.http2.";
    private static final List<String> HELIDON = List.of(HELIDON1 + "CallChainBase: proceed",
            HELIDON1 + "CallOutputStreamChain: checkRedirectHeaders", HELIDON1 + "ClientResponseImpl: close",
            HELIDON1 + "ConnectionCache: closeResource", HELIDON2 + "Http2CallChainBase: proceed",
            HELIDON2 + "Http2ConnectionCache: closeResource newStream", HELIDON2 + "RedirectionProcessor: checkRedirectHeaders",
            HELIDON2 + "Http2ClientResponseImpl: close");

    private static List<String> armeria(String response, String wrapper, String ofDelegate) {
        String client = "com.linecorp.armeria.client.";
        return List.of(client + "HttpClientDelegate: " + ofDelegate, client + "retry.RetryingClient: doExecute",
                "com.linecorp.armeria." + response + ": tryWrite",
                client + wrapper + ": close close", client + "HttpClientFactory: close closeAsync closeAsync",
                client + "retry.AbstractRetryingClient$State: actualResponseTimeoutMillis",
                client + "HttpClientPipelineConfigurator$UpgradeRequestHandler: channelActive");
    }

    private static List<String> playwright(String... more) {
        List<String> hooks = new ArrayList<>(List.of(PLAYWRIGHT + "FrameImpl: content navigateImpl",
                PLAYWRIGHT + "PageImpl: goBackImpl goForwardImpl reloadImpl",
                PLAYWRIGHT + "APIRequestContextImpl: fetchImpl", PLAYWRIGHT + "APIRequestImpl: newContext", PLAYWRIGHT
                + "BrowserContextImpl: request"));
        hooks.addAll(List.of(more));
        return hooks;
    }

    private static List<String> jvppeteer1() {
        return List.of(JVPPETEER + "core.page.Frame: content goTo", JVPPETEER + "core.page.Page: reload",
                JVPPETEER + "transport.CDPSession: onClosed",
                JVPPETEER + "launch.ChromeLauncher: launch getWSEndpoint",
                JVPPETEER + "transport.factory.WebSocketTransportFactory: create");
    }

    private static List<String> jvppeteer2() {
        return List.of(JVPPETEER + "core.Frame: content goTo waitForNavigation", JVPPETEER + "core.Page: go",
                JVPPETEER + "core.Browser: createBrowserContext",
                JVPPETEER + "transport.CDPSession: onClosed", JVPPETEER + "launch.ChromeLauncher: launch getWSEndpoint",
                JVPPETEER + "transport.WebSocketTransportFactory: create");
    }

    private static List<String> jvppeteer3() {
        return List.of(JVPPETEER + "api.core.Frame: content", JVPPETEER + "cdp.core.CdpFrame: goTo",
                JVPPETEER + "cdp.core.CdpPage: go reload", JVPPETEER + "cdp.core.CdpBrowser: createBrowserContext",
                JVPPETEER + "bidi.core.BidiFrame: goTo", JVPPETEER + "bidi.core.BidiPage: go reload",
                JVPPETEER + "bidi.core.BrowsingContext: dispose",
                JVPPETEER + "transport.CdpCDPSession: onClosed", JVPPETEER + "launch.ChromeLauncher: launch",
                JVPPETEER + "launch.BrowserLauncher: getWSEndpoint",
                JVPPETEER + "transport.WebSocketTransportFactory: create");
    }

    /** What is to be woven in each version. */
    private static final List<Version> VERSIONS = List.of(
            new Version("okhttp-2-newest", 8, "com.squareup.okhttp.Dispatcher: cancel enqueue getQueuedCallCount",
                    "com.squareup.okhttp.Call: cancel getResponse getResponseWithInterceptorChain",
                    "com.squareup.okhttp.internal.http.HttpEngine: connect readNetworkResponse readResponse"),
            new Version("okhttp-3-oldest", 8, OKHTTP_DISPATCHER + "enqueue",
                    "okhttp3.RealCall: cancel getResponse getResponseWithInterceptorChain",
                    "okhttp3.internal.http.HttpEngine: connect readNetworkResponse readResponse"),
            new Version("okhttp-3-between", 8, OKHTTP_DISPATCHER + "enqueue", OKHTTP_CONNECT,
                    "okhttp3.RealCall: cancel getResponseWithInterceptorChain"),
            new Version("okhttp-3-newest", 8, OKHTTP_DISPATCHER + "enqueue", OKHTTP_CONNECT, "okhttp3.RealCall: cancel"),
            new Version("okhttp-4-oldest", 8, OKHTTP_DISPATCHER + "enqueue$okhttp", OKHTTP_CONNECT, "okhttp3.RealCall: cancel"),
            new Version("okhttp-4-newest", 8, OKHTTP_DISPATCHER
            + "enqueue$okhttp", OKHTTP_CONNECT, "okhttp3.internal.connection.RealCall: cancel"),
            new Version("okhttp-5-oldest", 8, OKHTTP_DISPATCHER
            + "enqueue$okhttp", OKHTTP_CONNECT, "okhttp3.internal.connection.RealCall: cancel"),
            new Version("okhttp-5-newest", 8, OKHTTP_DISPATCHER
            + "enqueue$okhttp", OKHTTP_CONNECT, "okhttp3.internal.connection.RealCall: cancel"),
            new Version("commons-httpclient-3-oldest", 8,
                    "org.apache.commons.httpclient.HttpMethodDirector: executeMethod executeWithRetry",
                    "org.apache.commons.httpclient.HttpMethodBase: abort execute readResponseBody readResponseBody",
                    "org.apache.commons.httpclient.MultiThreadedHttpConnectionManager: shutdown"),
            new Version("apache-4-oldest", 8, APACHE4),
            new Version("apache-4-newest", 8, APACHE4),
            new Version("apache-4-async-oldest", 8, APACHE4_ASYNC),
            new Version("apache-4-async-newest", 8, APACHE4_ASYNC),
            new Version("apache-5-oldest", 8, APACHE5),
            new Version("apache-5-newest", 8, APACHE5),
            new Version("jetty-9-oldest", 8, jetty(JETTY, "send", "HttpReceiver: responseContent")),
            new Version("jetty-9-newest", 8, jetty(JETTY, "send send sweep", "HttpReceiver: responseContent")),
            new Version("jetty-10-oldest", 11, jetty(JETTY, "send send", "HttpReceiver: responseContent")),
            new Version("jetty-11-newest", 11, jetty(JETTY, "send send sweep", "HttpReceiver: responseContent")),
            new Version("jetty-12-oldest", 17, jetty(JETTY + "transport.", "send sweep", "HttpReceiver$ContentSource: read")),
            new Version("jetty-12-newest", 17, jetty(JETTY + "transport.", "send sweep", "HttpReceiver$ContentSource: read")),
            new Version("vertx-4-oldest", 8, VERTX + "HttpClientImpl: close request webSocket", VERTX
            + "HttpClientRequestBase: fail handleResponse reset"),
            new Version("vertx-4-newest", 8, VERTX + "HttpClientImpl: close doRequest", VERTX + "HttpClientBase: close webSocket",
                    VERTX + "SharedHttpClient: request", VERTX + "HttpClientRequestBase: fail handleResponse reset"),
            new Version("vertx-5-oldest", 11, vertx5("fail handleResponse reset")),
            new Version("vertx-5-newest", 11, vertx5("cancel fail handleResponse reset")),
            new Version("ktor-2-oldest", 8, ktor("ByteBufferChannel: bytesRead", "$Plugin$install$1$1$killer$1")),
            new Version("ktor-2-newest", 8, ktor("ByteBufferChannel: bytesRead", "$Plugin$install$1$1$killer$1")),
            new Version("ktor-3-oldest", 8, ktor("ByteChannel: moveFlushToReadBuffer", "Kt$HttpTimeout$2$1$1$killer$1")),
            new Version("ktor-3-newest", 8, ktor("ByteChannel: moveFlushToReadBuffer", "Kt$applyRequestTimeout$killer$1")),
            new Version("reactor-netty-oldest", 8, REACTOR_NETTY),
            new Version("reactor-netty-newest", 8, REACTOR_NETTY),
            new Version("reactor-netty-oldest", 8, NETTY_DECODER, NETTY_PREFACE + "sendPreface", NETTY_ENCODER + "encode"), // no write
            new Version("reactor-netty-newest", 8, NETTY_DECODER, NETTY_PREFACE + "sendPrefaceIfNeeded", NETTY_ENCODER + "encode write"),
            new Version("unknown", 8, "io.grpc.netty.shaded." + NETTY_PREFACE + "sendPrefaceIfNeeded",
                    "io.grpc.netty.shaded." + NETTY_ENCODER + "encode write"),
            new Version("async-http-client-2-oldest", 8, asyncHttpClient("sendRequestThroughSslProxy")),
            new Version("async-http-client-2-newest", 8, asyncHttpClient("sendRequestThroughProxy")),
            new Version("async-http-client-3-oldest", 11, asyncHttpClient("sendRequestThroughProxy")),
            new Version("async-http-client-3-newest", 11, asyncHttpClient("sendRequestThroughProxy sendRequestRoundRobin",
                    AHC + "netty.handler.Http2Handler: handleRead")),
            new Version("armeria-oldest", 8, armeria("client.DecodedHttpResponse", "HttpResponseDecoder$HttpResponseWrapper",
                    "acquireConnectionAndExecute")),
            new Version("armeria-between", 8, armeria("internal.client.DecodedHttpResponse", "HttpResponseDecoder$HttpResponseWrapper",
                    "acquireConnectionAndExecute")),
            new Version("armeria-newest", 8, armeria("internal.client.DecodedHttpResponse", "HttpResponseWrapper",
                    "execute0 acquireConnectionAndExecute")),
            new Version("aws-netty-oldest", 8, AWS_NETTY),
            new Version("aws-netty-newest", 8, AWS_NETTY),
            new Version("helidon-oldest", 21, HELIDON),
            new Version("helidon-newest", 21, HELIDON),
            new Version("pekko-oldest", 8, pekko("org.apache.pekko.")),
            new Version("pekko-newest", 8, pekko("org.apache.pekko.")),
            new Version("akka-oldest", 8, pekko("akka.")),
            new Version("akka-newest", 8, pekko("akka.")),
            new Version("jsoup-oldest", 8, "org.jsoup.internal.ConstrainableInputStream: timeout"),
            new Version("jsoup-newest", 8, "org.jsoup.internal.ControllableInputStream: timeout"),
            new Version("selenium-4-oldest", 8, SELENIUM, SELENIUM_CHECKER,
            "org.openqa.selenium.remote.http.netty.NettyHttpHandler: makeCall",
                    "org.openqa.selenium.remote.http.netty.NettyClient: openSocket"),
            new Version("selenium-4-newest", 11, SELENIUM, SELENIUM_CHECKER,
            "org.openqa.selenium.remote.http.jdk.JdkHttpClient: execute execute0 openSocket"),
            new Version("playwright-oldest", 8, playwright()),
            new Version("playwright-newest", 8, playwright(PLAYWRIGHT + "RouteImpl: fetch")),
            new Version("jvppeteer-1-oldest", 8, jvppeteer1()),
            new Version("jvppeteer-1-newest", 8, jvppeteer1()),
            new Version("jvppeteer-2-oldest", 8, jvppeteer2()),
            new Version("jvppeteer-2-newest", 8, jvppeteer2()),
            new Version("jvppeteer-3-oldest", 8, jvppeteer3()),
            new Version("jvppeteer-3-newest", 8, jvppeteer3()));

    private static final String HUC = "sun.net.www.protocol.http.HttpURLConnection: expect100Continue getInputStream plainConnect";
    private static final String HUC_TLS = "sun.net.www.protocol.https.AbstractDelegateHttpsURLConnection: connect";
    private static final String HUC_CLIENT = "sun.net.www.http.HttpClient: parseHTTP";
    private static final Version URL_CONNECTION = new Version("", 8, HUC, HUC_TLS, HUC_CLIENT);
    private static final String JDK = "jdk.internal.net.http.HttpClientImpl: send sendAsync";
    private static final String JDK_EXCHANGE =
            "jdk.internal.net.http.MultiExchange: getExceptionalCF responseAsync responseAsyncImpl responseFilters cancel";
    private static final String JDK_HTTP1 = "jdk.internal.net.http.Http1Response: readBody";
    private static final String JDK_HTTP2 = "jdk.internal.net.http.Stream: receiveData";
    private static final String JDK_11_SUBSCRIBER = "jdk.internal.net.http.Http1Response$Http1BodySubscriber: onSubscribe onNext complete";
    private static final String JDK_11_SUBSCRIPTION = "jdk.internal.net.http.Http1AsyncReceiver$Http1AsyncDelegateSubscription: cancel";
    private static final String JDK_20_SUBSCRIBER = "jdk.internal.net.http.common.HttpBodySubscriberWrapper: onNext complete onCancel";
    private static final Version JDK_11 = new Version("", 11, HUC, HUC_TLS, HUC_CLIENT, JDK, JDK_EXCHANGE, JDK_HTTP1, JDK_HTTP2,
            JDK_11_SUBSCRIBER, JDK_11_SUBSCRIPTION);
    private static final Version JDK_16 = new Version("", 16, HUC, HUC_TLS, HUC_CLIENT, JDK, JDK_EXCHANGE
            + " cancel", JDK_HTTP1, JDK_HTTP2, JDK_11_SUBSCRIBER,
            JDK_11_SUBSCRIPTION);
    private static final Version JDK_20 = new Version("", 20, HUC, HUC_TLS, HUC_CLIENT, JDK, JDK_EXCHANGE
            + " cancel", JDK_HTTP1, JDK_HTTP2, JDK_20_SUBSCRIBER);

    private static final String TLS = "sun.security.ssl.SSLSocketImpl$AppOutputStream: write";
    private static final String ENGINE = "sun.security.ssl.SSLEngineImpl: wrap";
    private static final String CHANNEL = "sun.nio.ch.SocketChannelImpl: write write read read implCloseSelectableChannel";
    private static final String ASYNCHRONOUS = "sun.nio.ch.AsynchronousSocketChannelImpl: write write write";
    private static final String TLS_READ = "sun.security.ssl.SSLSocketImpl$AppInputStream: read";
    private static final String TLS_CLOSE = "sun.security.ssl.SSLSocketImpl: close";
    private static final String CLOSE = "java.net.Socket: close";
    private static final Version SOCKETS_8 = new Version("", 8, TLS, TLS_READ, TLS_CLOSE, ENGINE, CHANNEL, ASYNCHRONOUS, CLOSE,
            "java.net.SocketOutputStream: socketWrite", "java.net.SocketInputStream: read");
    private static final Version SOCKETS_17 = new Version("", 17, TLS, TLS_READ, TLS_CLOSE, ENGINE,
            CHANNEL + " blockingWriteFully blockingRead",
            ASYNCHRONOUS, CLOSE, "java.net.Socket$SocketOutputStream: write", "java.net.Socket$SocketInputStream: read");

    /** An agent that keeps what the one before it made. */
    private static final Path LOOKER = Source.compile(8, """
            import java.io.*;
            import java.lang.instrument.*;
            import java.security.ProtectionDomain;
            public class Looker {
                static Instrumentation jvm;
                static byte[] seen;
                public static void premain(String arguments, Instrumentation instrumentation) {
                    jvm = instrumentation;
                    instrumentation.addTransformer(new ClassFileTransformer() {
                        public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain d, byte[] bytes) {
                            seen = c == null ? seen : bytes;
                            return null;
                        }
                    }, true);
                }
            }""", """
            import java.io.File;
            import java.net.*;
            import java.nio.file.*;
            public class Load {
                /** Arguments: a folder for what is seen; then jars separated by the path separator, or nothing, and the classes, and so on. */
                public static void main(String[] args) throws Exception {
                    for (int i = 1; i < args.length; i += 2) {
                        ClassLoader loader = null;
                        if (!args[i].isEmpty()) {
                            String[] jars = args[i].split(File.pathSeparator);
                            URL[] urls = new URL[jars.length];
                            for (int j = 0; j < jars.length; j++) {
                                urls[j] = new File(jars[j]).toURI().toURL();
                            }
                            loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
                        }
                        Path folder = Files.createDirectory(Paths.get(args[0], String.valueOf(i / 2)));
                        for (String name : args[i + 1].split(",")) {
                            Class<?> type = loader == null ? Class.forName(name) : Class.forName(name, true, loader);
                            Looker.jvm.retransformClasses(type);
                            Files.write(folder.resolve(name), Looker.seen);
                        }
                    }
                }
            }""");
    private static final Path LOOKER_JAR = Source.jar(Source.folder()
            .resolve("looker.jar"), Map.of("Premain-Class", "Looker", "Can-Retransform-Classes", "true"),
            Map.of("", LOOKER), List.of());

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#all")
    void fit(int java) throws IOException {
        boolean clients = Jvm.ends().anyMatch(end -> end == java); // the same on each Java; the JVM's own classes differ
        List<Version> versions = new ArrayList<>(VERSIONS.stream().filter(v -> clients && v.oldestJava() <= java).toList());
        versions.add(java < 11 ? URL_CONNECTION : java < 16 ? JDK_11 : java < 20 ? JDK_16 : JDK_20);
        versions.add(java < 17 ? SOCKETS_8 : SOCKETS_17);
        Path seen = Source.folder();
        List<String> arguments = new ArrayList<>(List.of(seen.toString()));
        for (Version version : versions) {
            arguments.add(version.folder().isEmpty() ? "" : Source.jarsOf(version.folder()).stream().map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator)));
            arguments.add(version.hooks().stream().map(HooksIT::className).collect(Collectors.joining(",")));
        }
        // The order matters: the one that looks comes second. Verification of the JVM's own classes is off by default.
        Fork.Builder builder = Jvm.on(java).agent("clients=unknown").option("-javaagent:" + LOOKER_JAR)
                .option("-XX:+UnlockDiagnosticVMOptions").option("-XX:+BytecodeVerificationLocal");
        try (Fork fork = builder.main("Load", arguments.toArray(String[]::new)).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> missing = new ArrayList<>();
            for (int i = 0; i < versions.size(); i++) {
                String where = versions.get(i).folder() + " ";
                for (String hook : versions.get(i).hooks()) {
                    List<String> methods = new ArrayList<>(List.of(hook.substring(hook.indexOf(':') + 2).split(" ")));
                    woven(Files.readAllBytes(seen.resolve(String.valueOf(i)).resolve(className(hook)))).forEach(methods::remove);
                    methods.forEach(method -> missing.add(where + className(hook) + "." + method));
                }
            }
            assertEquals(List.of(), missing);
            assertEquals(List.of(), Jvm.lines(fork.stderr()).stream().filter(line -> line.contains("empolimit")).toList());
        }
    }

    private static String className(String hook) {
        return hook.substring(0, hook.indexOf(':'));
    }

    /** The methods in which the agent is called; one that is overloaded as often as that is so. */
    private static List<String> woven(byte[] type) {
        List<String> methods = new ArrayList<>();
        type[7] = (byte) Math.min(type[7], Opcodes.V21); // what newer ones have is nothing to us
        new ClassReader(type).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String name, String type, boolean onInterface) {
                        if (owner.equals("java/lang/TempolimitBridge") && name.equals("enter")) {
                            methods.add(method);
                        }
                    }
                };
            }
        }, 0);
        return methods;
    }
}
