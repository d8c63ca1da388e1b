package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code check --connect} says of a Redis. */
@Tag("long")
class TrialTest {
    private static final long SECOND = 1_000_000_000L;
    private final List<String> warnings = new ArrayList<>();

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    private String attempt(FleetSettings settings) throws IOException {
        return new RedisTrial().attempt(settings.timeout(5 * SECOND), warnings::add);
    }

    private String refusal(String uri) {
        String said = assertThrows(IOException.class, () -> attempt(new FleetSettings(uri, null, false))).getMessage();
        assertFalse(said.contains("hunter2"), said);
        return said;
    }

    @ParameterizedTest
    @MethodSource("servers")
    void oneThatWorksIsLeftAsItWas(String name) throws Exception {
        try (Server server = Server.start(Servers.ALL.get(name));
                Worker worker = new Worker(new FleetSettings(server.uri(), null, false).timeout(5 * SECOND)
                .start(60 * SECOND), 1000, 10)) {
            assertTrue(worker.acquire("shop.example"));
            Server.await(() -> worker.fleet.workers() == 1, "it has seen itself");
            String said = attempt(new FleetSettings(server.uri(), null, false));
            assertTrue(said.matches("Redis at 127\\.0\\.0\\.1:" + server.port
                    + " answers within \\d+\\.\\d ms; 1 JVM shares limits there"), said);
            assertEquals(List.of(), warnings);
            String left = server.ask("EVAL", "redis.call('SELECT', 2) local left = 0 for _, k in ipairs(redis.call('KEYS', '*check*')) do"
                    + " left = math.max(left, redis.call('PTTL', k)) if redis.call('PTTL', k) < 0 then return -1 end end return left", "0");
            assertTrue(Long.parseLong(left) >= 0 && Long.parseLong(left) <= 61_000, "what it wrote goes by itself: " + left);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void eachRightThatIsMissingIsNoticed(String name) throws Exception {
        try (Server server = Server.start(Servers.ALL.get(name))) {
            String[] needed = {"evalsha", "set", "mget", "time", "del", "pttl", "zadd", "zrem", "zcard",
                    "zremrangebyscore", "pexpire", "type"};
            for (String right : needed) {
                server.ask("ACL", "SETUSER", "pacer", "reset", "on", ">hunter2", "~tempolimit:*", "&*", "+@all", "-" + right);
                String said = refusal("redis://pacer:hunter2@127.0.0.1:" + server.port);
                assertTrue(said.startsWith("Redis cannot be used: NOPERM at 127.0.0.1:" + server.port + ": "), right + ": " + said);
            }
            server.ask("ACL", "SETUSER", "pacer", "reset", "on", ">hunter2", "~others:*", "&*", "+@all");
            assertTrue(refusal("redis://pacer:hunter2@127.0.0.1:" + server.port).contains("NOPERM"), "other keys");
            server.ask("ACL", "SETUSER", "pacer", "reset", "on", ">hunter2", "~tempolimit:*", "&*", "+@all", "-subscribe");
            attempt(new FleetSettings("redis://pacer:hunter2@127.0.0.1:" + server.port, null, false));
            assertEquals(1, warnings.size(), "it works, but hears nothing: " + warnings);
        }
    }

    @Test
    void whyItCannotBeUsedIsSaid() throws Exception {
        try (Server server = Server.start(Servers.first(), "--requirepass", "right").as("", "right"); Proxy far = new Proxy(server.port)) {
            assertTrue(refusal("redis://:hunter2@127.0.0.1:" + server.port)
                    .startsWith("Redis cannot be used: WRONGPASS at 127.0.0.1:" + server.port
                            + ": the user or the password"));
            assertTrue(refusal("redis://127.0.0.1:" + server.port).contains("NOAUTH"));
            assertTrue(refusal("rediss://127.0.0.1:" + server.port).contains("speaks no TLS"));
            assertTrue(refusal("redis://:hunter2@nobody.invalid").contains("unknown host at nobody.invalid:6379"));
            String nobody = refusal("redis://127.0.0.1:" + Server.freePort());
            assertTrue(nobody.startsWith("Redis cannot be used: not connected at 127.0.0.1:"), nobody);
            far.delay(150);
            String slow = assertThrows(IOException.class,
                    () -> new RedisTrial().attempt(new FleetSettings("redis://:right@127.0.0.1:" + far.port, null,
                            false), warnings::add)).getMessage();
            assertTrue(slow.matches("Redis at 127\\.0\\.0\\.1:\\d+ takes \\d+\\.\\d ms for an answer, which is more than "
                    + "redis\\.timeout= waits for"), slow);
        }
    }
}
