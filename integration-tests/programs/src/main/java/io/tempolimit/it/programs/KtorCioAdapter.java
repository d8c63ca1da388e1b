package io.tempolimit.it.programs;

import io.ktor.client.HttpClient;
import io.ktor.client.HttpClientConfig;
import io.ktor.client.HttpClientKt;
import io.ktor.client.engine.cio.CIO;
import io.ktor.client.engine.cio.CIOEngineConfig;
import io.ktor.client.plugins.HttpClientPlugin;
import io.ktor.client.request.HttpRequestBuilder;
import io.ktor.client.request.HttpRequestKt;
import io.ktor.client.statement.HttpResponse;
import io.ktor.client.statement.HttpStatement;
import io.ktor.http.HttpMethod;
import io.ktor.utils.io.ByteReadChannel;
import io.ktor.utils.io.jvm.javaio.BlockingKt;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.JobKt;

/** Ktor 2's and 3's client with the engine CIO. A call is a coroutine, without a thread. */
public final class KtorCioAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.ASYNC, Feature.CANCEL_SYNC, Feature.CANCEL_ASYNC, Feature.EVENT_LOOP, Feature.OVERTAKES,
                Feature.SENDS_ONCE, Feature.NEVER_RETRIES, Feature.CLOSE, Feature.CANCELS_UNSENT, Feature.BODIES, Feature.USER_AGENT,
                Feature.TAKES_PROXY);
        if (coroutines().startsWith("1.6.")) { // as Ktor 2.0 to 2.3.0 have them; with 1.7 it is gone
            features.add(Feature.LAGS);
        }
        return features;
    }

    /** The version of kotlinx.coroutines. */
    private static String coroutines() {
        InputStream version = KtorCioAdapter.class.getResourceAsStream("/META-INF/kotlinx_coroutines_core.version");
        try (Scanner scanner = new Scanner(version, "UTF-8")) {
            return scanner.next();
        }
    }

    @Override
    public Http open(Map<String, String> options) {
        return new Client(HttpClientKt.HttpClient(CIO.INSTANCE, config -> {
            configure(config, options);
            return Unit.INSTANCE;
        }), options.get("user-agent"));
    }

    private static void configure(HttpClientConfig<CIOEngineConfig> config, Map<String, String> options) {
        config.engine(engine -> {
            engine.getEndpoint().setConnectTimeout(60_000); // a busy machine opens a thousand connections in more than its five seconds
            return Unit.INSTANCE;
        });
        if (options.containsKey("proxy")) {
            config.engine(engine -> {
                engine.setProxy(new Proxy(Proxy.Type.HTTP, Adapter.proxy(options)));
                return Unit.INSTANCE;
            });
        }
        if (options.containsKey("threads")) {
            config.engine(engine -> {
                threads(engine, Integer.parseInt(options.get("threads")) + 1); // one waits for the network most of its time
                return Unit.INSTANCE;
            });
        }
        if (options.containsKey("timeout")) {
            long timeout = Long.parseLong(options.get("timeout"));
            config.install(timeouts(), plugin -> {
                invoke(plugin, "setRequestTimeoutMillis", timeout);
                invoke(plugin, "setConnectTimeoutMillis", timeout + 60_000); // on a busy machine the second of two may come first
                invoke(plugin, "setSocketTimeoutMillis", timeout + 60_000);
                return Unit.INSTANCE;
            });
        }
    }

    private static void threads(CIOEngineConfig engine, int count) {
        engine.setThreadsCount(count);
        try {
            CIOEngineConfig.class.getMethod("setDispatcher", CoroutineDispatcher.class).invoke(engine,
                    ExecutorsKt.from((Executor) Executors.newFixedThreadPool(count, task -> {
                        Thread thread = new Thread(task);
                        thread.setDaemon(true);
                        return thread;
                    })));
        } catch (NoSuchMethodException older) {
            // it has the number of threads
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The plugin HttpTimeout, which is another type in 3. */
    @SuppressWarnings("unchecked")
    private static HttpClientPlugin<Object, Object> timeouts() {
        try {
            try {
                return (HttpClientPlugin<Object, Object>) Class.forName("io.ktor.client.plugins.HttpTimeout").getField("Plugin").get(null);
            } catch (ClassNotFoundException newer) {
                return (HttpClientPlugin<Object, Object>) Class.forName("io.ktor.client.plugins.HttpTimeoutKt").getMethod("getHttpTimeout")
                        .invoke(null);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object invoke(Object object, String method, Object... arguments) {
        try {
            Class<?>[] types = new Class<?>[arguments.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = arguments[i].getClass();
            }
            return object.getClass().getMethod(method, types).invoke(object, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Client extends FutureHttp {
        private final HttpClient client;
        private final String userAgent;

        Client(HttpClient client, String userAgent) {
            this.client = client;
            this.userAgent = userAgent;
        }

        @Override
        Future<?> begin(Request request, CompletableFuture<Reply> reply) {
            HttpRequestBuilder builder = new HttpRequestBuilder();
            HttpRequestKt.url(builder, request.url);
            builder.setMethod(new HttpMethod(request.method));
            if (userAgent != null) {
                builder.getHeaders().set("User-Agent", userAgent);
            }
            CompletableJob job = JobKt.Job(null);
            Call call = new Call(((CoroutineContext) Dispatchers.getDefault()).plus(job), job, reply);
            call.start(new HttpStatement(builder, client));
            return new CompletableFuture<Void>() {
                @Override
                public boolean cancel(boolean interrupt) {
                    job.cancel(null);
                    return true;
                }
            };
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** A coroutine that has the reply, and ends when its body has been read. */
    private static final class Call implements Continuation<Unit> {
        private final CoroutineContext context;
        private final CompletableJob job;
        private final CompletableFuture<Reply> reply;

        Call(CoroutineContext context, CompletableJob job, CompletableFuture<Reply> reply) {
            this.context = context;
            this.job = job;
            this.reply = reply;
        }

        void start(HttpStatement statement) {
            Object result;
            try {
                result = statement.<Unit>execute(this::replied, this);
            } catch (Throwable t) {
                result = ResultKt.createFailure(t);
            }
            if (result != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
                resumeWith(result);
            }
        }

        private Object replied(HttpResponse response, Continuation<? super Unit> whenRead) {
            List<String> headers = new ArrayList<>();
            for (Map.Entry<String, List<String>> header : response.getHeaders().entries()) {
                header.getValue().forEach(value -> headers.add(header.getKey() + ": " + value));
            }
            reply.complete(new Reply(response.getStatus().getValue(), headers, new Body(channel(response), job, whenRead)));
            return IntrinsicsKt.getCOROUTINE_SUSPENDED();
        }

        private static ByteReadChannel channel(HttpResponse response) {
            try {
                return (ByteReadChannel) HttpResponse.class.getMethod("getRawContent").invoke(response);
            } catch (NoSuchMethodException older) {
                return response.getContent();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            try {
                ResultKt.throwOnFailure(result);
            } catch (CancellationException e) {
                reply.completeExceptionally(new CancellationException()); // its class depends on which job hears of it first
            } catch (Throwable t) {
                reply.completeExceptionally(t);
            }
            job.complete();
        }
    }

    /** Ends its call with its end. */
    private static final class Body extends InputStream {
        private final ByteReadChannel channel;
        private final InputStream in;
        private final Continuation<? super Unit> whenRead;
        private final AtomicBoolean over = new AtomicBoolean();

        Body(ByteReadChannel channel, CompletableJob job, Continuation<? super Unit> whenRead) {
            this.channel = channel;
            this.in = BlockingKt.toInputStream(channel, job);
            this.whenRead = whenRead;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Reading reading = new Reading(in, into, offset, length);
            try {
                ForkJoinPool.managedBlock(reading);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            IOException failure = reading.failure;
            if (reading.count < 0 && failure == null && channel.getClosedCause() != null) {
                failure = new IOException(channel.getClosedCause()); // Ktor 3's stream takes a broken connection for an end
            }
            if (failure != null) {
                over(ResultKt.createFailure(failure));
                throw failure;
            }
            if (reading.count < 0) {
                over(Unit.INSTANCE);
            }
            return reading.count;
        }

        @Override
        public void close() {
            over(Unit.INSTANCE);
        }

        private void over(Object result) {
            if (over.compareAndSet(false, true)) {
                whenRead.resumeWith(result);
            }
        }
    }

    /** A read, told to the pool of which its thread may be the only one. */
    private static final class Reading implements ForkJoinPool.ManagedBlocker {
        private final InputStream in;
        private final byte[] into;
        private final int offset;
        private final int length;
        private int count;
        private IOException failure;
        private boolean over;

        Reading(InputStream in, byte[] into, int offset, int length) {
            this.in = in;
            this.into = into;
            this.offset = offset;
            this.length = length;
        }

        @Override
        public boolean block() {
            try {
                count = in.read(into, offset, length);
            } catch (IOException e) {
                failure = e;
            }
            over = true;
            return true;
        }

        @Override
        public boolean isReleasable() {
            return over;
        }
    }
}
