package io.tempolimit.it.programs;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.ClientTransport;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.HttpCredentials;
import org.apache.pekko.http.javadsl.model.headers.UserAgent;
import org.apache.pekko.http.javadsl.settings.ConnectionPoolSettings;
import org.apache.pekko.stream.ActorMaterializer;
import org.apache.pekko.stream.Materializer;
import scala.concurrent.duration.FiniteDuration;

/**
 * {@code singleRequest} of Pekko HTTP, and under other names of Akka HTTP. It follows no redirects and knows no password,
 * so this does.
 */
public final class PekkoAdapter implements Adapter {
    /** Where the library's settings are, in a file of its own format. */
    private static final String SETTINGS = ActorSystem.class.getName().replaceFirst("^org\\.apache\\.", "").replaceFirst("\\..*", "");

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.ASYNC, Feature.EVENT_LOOP, Feature.UNSTOPPABLE, Feature.BODIES, Feature.USER_AGENT,
                Feature.TAKES_PROXY);
    }

    @Override
    public String cancelled() {
        return "none";
    }

    /** As an application has one for all that it does. */
    private static final class Shared {
        static final ActorSystem SYSTEM = system();
    }

    private static ActorSystem system() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(SETTINGS + ".daemonic", true);
        settings.put(SETTINGS + ".loglevel", "OFF");
        settings.put(SETTINGS + ".stdout-loglevel", "OFF");
        settings.put(SETTINGS + ".http.host-connection-pool.max-connections", 200);
        settings.put(SETTINGS + ".http.host-connection-pool.max-open-requests", 4096);
        settings.put(SETTINGS + ".http.host-connection-pool.max-retries", 1); // each of which has the whole timeout
        Config config = ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load());
        return ActorSystem.create("programs", config);
    }

    @Override
    public Http open(Map<String, String> options) {
        boolean own = options.containsKey("closes") || options.containsKey("threads");
        ActorSystem system = own ? system() : Shared.SYSTEM;
        ConnectionPoolSettings settings = ConnectionPoolSettings.create(system);
        if (options.containsKey("timeout")) {
            FiniteDuration time = FiniteDuration.create(Long.parseLong(options.get("timeout")), TimeUnit.MILLISECONDS);
            settings = settings.withConnectionSettings(settings.getConnectionSettings().withConnectingTimeout(time).withIdleTimeout(time));
        }
        if (options.containsKey("proxy")) {
            settings = settings.withTransport(ClientTransport.httpsProxy(Adapter.proxy(options)));
        }
        return new Client(system, own, settings, options);
    }

    private static final class Client extends FutureHttp {
        private final ActorSystem system;
        private final Materializer materializer;
        private final boolean own;
        private final ConnectionPoolSettings settings;
        private final Map<String, String> options;

        Client(ActorSystem system, boolean own, ConnectionPoolSettings settings, Map<String, String> options) {
            this.system = system;
            this.materializer = ActorMaterializer.create(system); // Akka 2.5 has no other way
            this.own = own;
            this.settings = settings;
            this.options = options;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            new Call(this, reply).send(request.method, URI.create(request.url), null);
            return new CompletableFuture<>(); // there is no way to cancel
        }

        @Override
        public void close() {
            if (own) {
                system.terminate();
            }
        }
    }

    /** A call, with its redirects, and the round with a password. */
    private static final class Call {
        private static final int MOST_REDIRECTS = 19;

        private final Client client;
        private final Materializer materializer;
        private final CompletableFuture<Reply> reply;
        private int redirects;

        Call(Client client, CompletableFuture<Reply> reply) {
            this.client = client;
            this.materializer = client.materializer;
            this.reply = reply;
        }

        /** @param password null until the site asks for one */
        void send(String method, URI url, HttpCredentials password) {
            HttpRequest request = HttpRequest.create(url.toString()).withMethod(HttpMethods.lookup(method).get());
            if (client.options.containsKey("user-agent")) {
                request = request.addHeader(UserAgent.create(client.options.get("user-agent")));
            }
            if (password != null) {
                request = request.addCredentials(password);
            }
            if (method.equals("POST")) {
                request = request.withEntity(Request.BODY);
            }
            org.apache.pekko.http.javadsl.Http http = org.apache.pekko.http.javadsl.Http.get(client.system);
            http.singleRequest(request, http.defaultClientHttpsContext(), client.settings, client.system.log())
                    .whenComplete((response, failure) -> {
                        if (failure != null) {
                            reply.completeExceptionally(failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause() : failure);
                        } else if (response.status().intValue() == 401 && password == null && client.options.containsKey("user")) {
                            response.discardEntityBytes(materializer);
                            send(method, url, HttpCredentials.createBasicHttpCredentials(client.options.get("user"),
                                    client.options.get("password")));
                        } else {
                            headed(url, response);
                        }
                    });
        }

        private void headed(URI url, HttpResponse response) {
            Optional<String> location = response.getHeader("Location").map(header -> header.value());
            if (response.status().intValue() / 100 == 3 && location.isPresent() && redirects++ < MOST_REDIRECTS) {
                response.discardEntityBytes(materializer);
                send("GET", url.resolve(location.get()), null);
                return;
            }
            List<String> lines = new ArrayList<>();
            response.getHeaders().forEach(header -> lines.add(header.name() + ": " + header.value()));
            HttpEntity entity = response.entity();
            lines.add("Content-Type: " + entity.getContentType());
            entity.getContentLengthOption().ifPresent(length -> lines.add("Content-Length: " + length));
            lines.add("Entity: " + (entity.isChunked() ? "chunked" : entity.isCloseDelimited() ? "delimited by its end" : "known length"));
            ChunkStream body = new ChunkStream();
            entity.getDataBytes().runForeach(bytes -> body.add(bytes.toArray()), materializer).whenComplete((done, failure) -> {
                if (failure == null) {
                    body.end();
                } else {
                    body.fail(failure);
                }
            });
            reply.complete(new Reply(response.status().intValue(), lines, body));
        }
    }
}
