package io.tempolimit.redis;

import io.tempolimit.core.SharedStore;
import io.tempolimit.core.SharedStoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts decide as the contract says, in each server that there is, and in a cluster of each. */
@ParameterizedClass
@MethodSource("servers")
class RedisStoreTest extends SharedStoreContract {
    private static final String CLUSTER = " cluster";
    /** Of each kind one for all tests, each of which has a prefix of its own. */
    private static final Map<String, List<Server>> RUNNING = new HashMap<>();
    private static int tests;

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
        List<Server> nodes = RUNNING.get(kind);
        if (nodes == null) {
            nodes = kind.endsWith(CLUSTER) ? Server.cluster(Servers.ALL.get(kind.replace(CLUSTER, "")))
                    : List.of(Server.start(Servers.ALL.get(kind)));
            RUNNING.put(kind, nodes);
        }
        return new RedisStore(nodes, "test" + ++tests);
    }

    @AfterAll
    static void stop() throws Exception {
        for (List<Server> nodes : RUNNING.values()) {
            for (Server each : nodes) {
                each.close();
            }
        }
        RUNNING.clear();
    }
}
