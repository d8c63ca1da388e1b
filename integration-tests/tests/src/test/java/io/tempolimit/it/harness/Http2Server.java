package io.tempolimit.it.harness;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server of HTTP/2, in TLS or in clear text, begun as such or by an upgrade, that answers everything, and remembers by host what
 * arrived.
 */
public final class Http2Server implements AutoCloseable {
    /** A path: a host's first request for it is not looked at, and its connection takes no further one. */
    public static final String REFUSED = "/refused";
    /** A path: when a host's third request for it is there, each connection has its first one answered, and no other is looked at. */
    public static final String LEFT = "/left";
    /** A path: its request is answered, and its connection takes no further one. */
    public static final String LAST = "/last";
    /** A path: the answer ends with trailers. */
    public static final String TRAILED = "/trailed";

    private static final int LEAVING = 3;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)
            .setFileSystemOptions(new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    private final Map<String, List<Arrival>> arrivals = new ConcurrentHashMap<>();
    /** Requests for {@link #LEFT}, by host. */
    private final Map<String, List<HttpServerRequest>> left = new ConcurrentHashMap<>();
    private final boolean secure;
    private final int port;

    private Http2Server(HttpServerOptions options) {
        secure = options.isSsl();
        try {
            HttpServer server = vertx.createHttpServer(options).requestHandler(this::arrived);
            port = server.listen(0).toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS).actualPort();
        } catch (java.util.concurrent.ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts one on a free port. */
    public static Http2Server start() {
        return new Http2Server(new HttpServerOptions());
    }

    /** Starts one that speaks TLS, with a file of keys (PKCS 12) and its password. */
    public static Http2Server secure(Path keys, String password) {
        return new Http2Server(new HttpServerOptions().setSsl(true).setUseAlpn(true)
                .setKeyCertOptions(new PfxOptions().setPath(keys.toString()).setPassword(password)));
    }

    /** A request as it came. {@code nanos}: {@link System#nanoTime} when its head was read. */
    public record Arrival(long nanos, HttpVersion version, HttpConnection connection) {
    }

    /** The URL of a path of this host, an address of this machine, or a name that the client takes for one. */
    public String url(String host, String path) {
        return (secure ? "https://" : "http://") + host + ":" + port + path;
    }

    /** What has arrived at this host so far, in order. */
    public List<Arrival> arrivals(String host) {
        List<Arrival> there = arrivals.getOrDefault(host, List.of());
        synchronized (there) {
            return List.copyOf(there);
        }
    }

    private void arrived(HttpServerRequest request) {
        List<Arrival> there = arrivals.computeIfAbsent(request.authority().host(), host -> new ArrayList<>());
        boolean first;
        synchronized (there) {
            first = there.isEmpty();
            there.add(new Arrival(System.nanoTime(), request.version(), request.connection()));
        }
        if (request.path().equals(REFUSED) && first) {
            request.connection().goAway(0, 0); // of all streams that the client has begun, none was taken
            request.connection().close();
            return;
        }
        if (request.path().equals(LEFT) && isLeft(request)) {
            return;
        }
        if (request.path().equals(LAST)) {
            request.connection().shutdown();
        }
        if (request.path().equals(TRAILED)) {
            request.response().setChunked(true).putTrailer("checksum", "of the page").write("answer");
            request.response().end();
            return;
        }
        request.response().end("answer");
    }

    /** On the server's one thread. */
    private boolean isLeft(HttpServerRequest request) {
        List<HttpServerRequest> there = left.computeIfAbsent(request.authority().host(), host -> new ArrayList<>());
        if (there.size() == LEAVING) {
            return false; // it is sent once more
        }
        there.add(request);
        if (there.size() == LEAVING) {
            Map<HttpConnection, HttpServerRequest> firsts = new LinkedHashMap<>();
            there.forEach(each -> firsts.putIfAbsent(each.connection(), each));
            firsts.forEach((connection, first) -> {
                connection.goAway(0, (int) first.streamId());
                first.response().end("answer").onComplete(sent -> connection.close());
            });
        }
        return true;
    }

    @Override
    public void close() {
        vertx.close();
    }
}
