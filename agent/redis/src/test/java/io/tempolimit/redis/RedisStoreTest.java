package io.tempolimit.redis;

import io.tempolimit.core.SharedStore;
import io.tempolimit.core.SharedStoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts decide as the contract says, in each server that there is, and in a cluster of each. Its tests run side by side, for they
 * wait for servers most of the time.
 */
@ParameterizedClass
@MethodSource("servers")
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class RedisStoreTest extends SharedStoreContract {
    private static final String CLUSTER = " cluster";
    /** Of each kind one for all tests, each of which has a prefix of its own. */
    private static final Map<String, List<Server>> RUNNING = new HashMap<>();
    private static final AtomicInteger TESTS = new AtomicInteger();

    @Parameter
    private String kind;

    static List<String> servers() {
        List<String> all = new ArrayList<>();
        for (String name : Servers.ALL.keySet()) {
            all.add(name);
            all.add(name + CLUSTER);
        }
        return all;
    }

    @Override
    protected SharedStore open() throws Exception {
        return new RedisStore(running(kind), "test" + TESTS.incrementAndGet());
    }

    private static List<Server> running(String kind) throws Exception {
        synchronized (RUNNING) {
            List<Server> nodes = RUNNING.get(kind);
            if (nodes == null) {
                nodes = kind.endsWith(CLUSTER) ? Server.cluster(Servers.ALL.get(kind.replace(CLUSTER, "")))
                        : List.of(Server.start(Servers.ALL.get(kind)));
                RUNNING.put(kind, nodes);
            }
            return nodes;
        }
    }

    @AfterParameterizedClassInvocation
    static void stop(String kind) throws Exception {
        List<Server> nodes;
        synchronized (RUNNING) {
            nodes = RUNNING.remove(kind);
        }
        for (Server each : nodes) {
            each.close();
        }
    }
}
