package io.tempolimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The connection to Redis: made in the background, made anew whenever it breaks or its owner says that it is of no use,
 * and never waited for.
 *
 * <p>A {@code Link} is two connections, one for scripts and one that listens, which live and die together. Of a single
 * server a broken one is not mended but replaced, and so is one that is not broken but silent: through a network that
 * drops packets TCP tries again ever more rarely, and would find out about the network's recovery a minute late. A
 * cluster's connections are many; there lettuce mends, and only silence replaces them all.
 *
 * <p>All methods but {@link #run}, {@link #load} and {@link #close} are called on the loop's thread, and so is who listens.
 */
final class Transport {
    /** Hears of it, on the loop's thread. */
    interface Listener {
        /** There is a new link: the server may be another one, or have forgotten everything. */
        void linked();

        /** There is none now. */
        void unlinked(Failure why);

        /** Something was published. */
        void published(String message);

        /** Something that its user may want to change. */
        void warning(String text);
    }

    /** Takes the answer of a script, or why there is none. Called once, on the loop's thread. */
    interface Reply {
        /**
         * @param failure why there is no answer, or null
         * @param took    nanoseconds since the call was made
         */
        void done(Object answer, Failure failure, long took);
    }

    /** The pause after an attempt to connect that failed. It doubles with each, {@link #RETRIES} times at most. */
    private static final long RETRY = 300_000_000L;
    private static final int RETRIES = 1;
    /**
     * What somebody has to change is not tried as often: servers write down who comes with a wrong password. But it is tried again before
     * the first that is back stops waiting for the others.
     */
    static final long REFUSED_RETRY = 1_200_000_000L;

    private final Loop loop;
    private final Duration timeout;
    private final String channel;
    private final Listener listener;
    private Address address;
    /** Of a cluster: its nodes, as the last link knew them. The one that the address names may be gone. */
    private List<RedisURI> nodes = Collections.emptyList();
    private volatile Link link;
    private boolean connecting;
    /** How many links were tried so far, and how many in a row have failed. */
    private int tried;
    private int failures;
    private volatile boolean closed;
    private boolean warnedOfDatabase;
    private boolean warnedOfChannel;

    static {
        // Asking sentinels, lettuce has timeouts of reactor's; one thread is enough for them.
        Schedulers.setFactory(new Schedulers.Factory() {
            @Override
            public Scheduler newParallel(int threads, ThreadFactory factory) {
                return Schedulers.Factory.super.newParallel(1, factory);
            }
        });
    }

    Transport(Loop loop, Address address, Duration timeout, String channel, Listener listener) {
        this.loop = loop;
        this.address = address;
        this.timeout = timeout;
        this.channel = channel;
        this.listener = listener;
    }

    /** Runs a script whose keys are all in one slot. From any thread. */
    void run(Script script, String[] keys, String[] arguments, Reply reply) {
        Link l = link;
        if (l == null) {
            loop.execute(() -> reply.done(null, Failure.NOT_CONNECTED, 0));
            return;
        }
        long began = System.nanoTime();
        try {
            RedisFuture<Object> future = l.scripts.evalsha(script.digest, ScriptOutputType.MULTI, keys, arguments);
            future.whenComplete((answer, failure) -> {
                if (failure instanceof RedisNoScriptException) {
                    runWhole(l, script, keys, arguments, began, reply);
                } else {
                    reply.done(answer, failure == null ? null : Failure.of(failure), System.nanoTime() - began);
                }
            });
        } catch (RuntimeException e) {
            loop.execute(() -> reply.done(null, Failure.of(e), System.nanoTime() - began));
        }
    }

    /** The server does not know the script, and nothing has run. In the time that is left. */
    private void runWhole(Link l, Script script, String[] keys, String[] arguments, long began, Reply reply) {
        AtomicBoolean done = new AtomicBoolean();
        l.scripts.eval(script.text, ScriptOutputType.MULTI, keys, arguments).whenComplete((answer, failure) -> {
            if (done.compareAndSet(false, true)) {
                reply.done(answer, failure == null ? null : Failure.of(failure), System.nanoTime() - began);
            }
        });
        loop.schedule(() -> {
            if (done.compareAndSet(false, true)) {
                reply.done(null, Failure.LATE, timeout.toNanos());
            }
        }, began + timeout.toNanos() - System.nanoTime());
    }

    boolean linked() {
        return link != null;
    }

    /** Has the JVM load most of what a link needs. From any thread. */
    void load() {
        try {
            new Link().close();
        } catch (RuntimeException | LinkageError e) {
            // it will show when a link is made
        }
    }

    /** Makes a link, in place of the one there is. Does nothing while one is being made. */
    void renew() {
        if (connecting || closed) {
            return;
        }
        connecting = true;
        tried++;
        Link old = link;
        link = null;
        if (old != null) {
            old.keepNodes();
            old.close();
        }
        Link made;
        try {
            made = new Link();
        } catch (RuntimeException | LinkageError e) {
            failed(e);
            return;
        }
        made.connect().whenComplete((ignored, failure) -> loop.execute(() -> {
            connecting = false;
            if (closed) {
                made.close();
            } else if (failure == null && !made.broken) {
                link = made;
                failures = 0;
                listener.linked();
            } else {
                made.close();
                failed(failure);
            }
        }));
    }

    private void failed(Throwable failure) {
        connecting = false;
        if (address.uri.getDatabase() != 0 && ofDatabase(failure)) {
            if (!warnedOfDatabase) {
                warnedOfDatabase = true;
                listener.warning("Redis refuses database " + address.uri.getDatabase() + "; database 0 is used");
            }
            address = address.withoutDatabase();
            loop.execute(this::renew);
            return;
        }
        Failure why = Failure.of(failure);
        if (!address.uri.isSsl() || why.refusal()) {
            failed(why);
            return;
        }
        connecting = true;
        loop.speaksPlainly(address.uri.getHost(), address.uri.getPort(), plainly -> {
            connecting = false;
            failed(plainly ? Failure.plain() : why);
        });
    }

    private void failed(Failure why) {
        listener.unlinked(why);
        long pause = why.refusal() ? REFUSED_RETRY : RETRY << Math.min(failures, RETRIES);
        failures++;
        int last = tried;
        loop.schedule(() -> {
            if (tried == last) { // else somebody has tried meanwhile, and what fails is tried again once
                renew();
            }
        }, pause + ThreadLocalRandom.current().nextLong(pause)); // not all workers at once
    }

    private static boolean ofDatabase(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof RedisCommandExecutionException && t.getMessage() != null) {
                String m = t.getMessage().toLowerCase(Locale.ROOT);
                return m.contains("select") || m.contains("db index");
            }
        }
        return false;
    }

    void close() {
        closed = true;
        Link l = link;
        link = null;
        if (l != null) {
            l.close();
        }
    }

    /** Requests wait for scripts; for what makes a connection nobody does. */
    private final class Patience extends TimeoutOptions.TimeoutSource {
        @Override
        public long getTimeout(RedisCommand<?, ?, ?> command) {
            return command.getType() == CommandType.EVALSHA || command.getType() == CommandType.EVAL ? timeout.toNanos()
                    : Address.CONNECT.toNanos();
        }

        @Override
        public TimeUnit getTimeUnit() {
            return TimeUnit.NANOSECONDS;
        }
    }

    private final class Link implements RedisConnectionStateListener {
        private final AbstractRedisClient client;
        private StatefulConnection<String, String> forScripts;
        private StatefulRedisPubSubConnection<String, String> forMessages;
        volatile RedisScriptingAsyncCommands<String, String> scripts;
        private volatile boolean ended;
        volatile boolean broken;

        Link() {
            ClusterClientOptions.Builder options = ClusterClientOptions.builder();
            options.autoReconnect(address.cluster);
            options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
            options.requestQueueSize(1 << 14);
            options.protocolVersion(ProtocolVersion.RESP2);
            options.socketOptions(SocketOptions.builder().connectTimeout(Address.CONNECT).tcpNoDelay(true).build());
            options.timeoutOptions(TimeoutOptions.builder().timeoutSource(new Patience()).build());
            if (address.cluster) {
                options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500)).build());
                List<RedisURI> seeds = new ArrayList<>(nodes);
                seeds.add(address.uri);
                RedisClusterClient c = new Lean.Cluster(loop, seeds);
                c.setOptions(options.build());
                client = c;
            } else {
                RedisClient c = new Lean.Single(loop, address.uri);
                c.setOptions(options.build());
                client = c;
            }
            client.addListener(this);
        }

        CompletionStage<?> connect() {
            CompletionStage<?> both;
            if (client instanceof RedisClusterClient) {
                RedisClusterClient c = (RedisClusterClient) client;
                both = c.refreshPartitionsAsync().thenCompose(ignored -> c.connectAsync(StringCodec.UTF8)).thenCompose(made -> {
                    forScripts = made;
                    scripts = made.async();
                    return c.connectPubSubAsync(StringCodec.UTF8);
                }).thenCompose(this::listen).thenCompose(ignored -> load());
            } else {
                RedisClient c = (RedisClient) client;
                both = c.connectAsync(StringCodec.UTF8, address.uri).thenCompose(made -> {
                    forScripts = made;
                    scripts = made.async();
                    return c.connectPubSubAsync(StringCodec.UTF8, address.uri);
                }).thenCompose(this::listen).thenCompose(ignored -> load());
            }
            return both;
        }

        private CompletionStage<?> listen(StatefulRedisPubSubConnection<String, String> made) {
            forMessages = made;
            made.addListener(new RedisPubSubAdapter<String, String>() {
                @Override
                public void message(String from, String message) {
                    listener.published(message);
                }
            });
            CompletableFuture<Void> heard = new CompletableFuture<>();
            made.async().subscribe(channel).whenComplete((ignored, failure) -> {
                if (failure instanceof RedisCommandExecutionException) { // without it, incidents are heard of with the next answer
                    if (!warnedOfChannel) {
                        warnedOfChannel = true;
                        listener.warning("Redis refuses to let this user listen; other workers' cooldowns are learnt "
                                + "with the next request only");
                    }
                    heard.complete(null);
                } else if (failure != null) {
                    heard.completeExceptionally(failure);
                } else {
                    heard.complete(null);
                }
            });
            return heard;
        }

        /** So that no request has to wait for this; a user who may not do it runs them whole once. */
        private CompletionStage<?> load() {
            List<CompletableFuture<?>> loads = new ArrayList<>();
            for (Script script : Script.values()) {
                loads.add(scripts.scriptLoad(script.text).handle((digest, failure) -> null).toCompletableFuture());
            }
            return CompletableFuture.allOf(loads.toArray(new CompletableFuture<?>[0]));
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress peer) {
            if (this == link) { // of a cluster: one of its connections has been mended
                loop.execute(() -> {
                    if (this == link) {
                        listener.linked();
                    }
                });
            }
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            if (ended || address.cluster || connection instanceof StatefulRedisSentinelConnection) { // that one is asked once, and closed
                return;
            }
            broken = true;
            loop.execute(() -> {
                if (this == link) {
                    listener.unlinked(Failure.NOT_CONNECTED);
                    renew();
                }
            });
        }

        void keepNodes() {
            if (client instanceof RedisClusterClient) {
                List<RedisURI> known = new ArrayList<>();
                for (RedisClusterNode node : ((RedisClusterClient) client).getPartitions()) {
                    known.add(RedisURI.builder(address.uri).withHost(node.getUri().getHost()).withPort(node.getUri().getPort()).build());
                }
                nodes = known;
            }
        }

        void close() {
            ended = true;
            client.shutdownAsync(0, 1, TimeUnit.SECONDS);
        }
    }
}
