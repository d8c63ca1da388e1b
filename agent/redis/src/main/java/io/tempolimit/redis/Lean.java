package io.tempolimit.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.json.JsonParser;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * lettuce's clients, without the synchronous and the reactive face that it gives each connection: nobody looks at them
 * here, and to make the proxies of a thousand methods took more than a second of CPU.
 */
final class Lean {
    private Lean() {
    }

    /** A client of one server, or of the one that sentinels name. */
    static final class Single extends RedisClient {
        Single(ClientResources resources, RedisURI uri) {
            super(resources, uri);
        }

        @Override
        protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
                PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
            return new Connection<>(writer, pushes, codec, timeout, null);
        }

        @Override
        protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
                PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
            return new StatefulRedisPubSubConnectionImpl<K, V>(endpoint, writer, codec, timeout) {
                @Override
                protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
                    return null;
                }

                @Override
                protected RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
                    return null;
                }
            };
        }
    }

    /** A client of a cluster: its connections to nodes. */
    static final class Cluster extends RedisClusterClient {
        Cluster(ClientResources resources, List<RedisURI> nodes) {
            super(resources, nodes);
        }

        @Override
        protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
                PushHandler pushes, RedisCodec<K, V> codec, Duration timeout,
                Supplier<JsonParser> parser) {
            return new Connection<>(writer, pushes, codec, timeout, parser);
        }

        @Override
        protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
                PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
            return new Connection<>(writer, pushes, codec, timeout, null);
        }
    }

    private static final class Connection<K, V> extends StatefulRedisConnectionImpl<K, V> {
        Connection(RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout, Supplier<JsonParser> parser) {
            super(writer, pushes, codec, timeout, parser);
        }

        @Override
        protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }
}
