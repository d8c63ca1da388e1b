package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.io.File;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ways to a Redis: single, by sentinels, a cluster, by TLS, as a user with few rights. Each has servers of its own,
 * and waits for them most of the time.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ConnectTest {
    private static final long SECOND = 1_000_000_000L;
    private final List<AutoCloseable> open = new ArrayList<>();

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    @AfterEach
    void close() throws Exception {
        Collections.reverse(open);
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Server start(String name, String... options) throws Exception {
        Server server = Server.start(Servers.ALL.get(name), options);
        open.add(server);
        return server;
    }

    private Worker worker(FleetSettings settings) {
        Worker worker = new Worker(settings.timeout(2 * SECOND).start(30 * SECOND), 1000, 10);
        open.add(worker);
        return worker;
    }

    private Worker worker(String uri) {
        return worker(new FleetSettings(uri, null, false));
    }

    /** Takes a token from Redis, and not from a fallback. */
    private static void assertShared(Worker worker, String key) {
        assertTrue(worker.acquire(key));
        assertTrue(worker.told.contains("connected"), worker.told.toString());
        assertFalse(worker.told.stream().anyMatch(t -> t.startsWith("lost")), worker.told.toString());
    }

    private static String keys(Server server, int database) throws Exception {
        return server.ask("EVAL", "redis.call('SELECT', ARGV[1]) return redis.call('KEYS', '*')", "0", Integer.toString(database));
    }

    @Test
    void whatIsInRedisTellsNothingButTheKey() throws Exception {
        Server server = start("redis-6.2");
        assertShared(worker(new FleetSettings(server.uri(), null, false).prefix("mine")), "shop.example");
        assertTrue(keys(server, 2).contains("mine:{shop.example}:bucket"), keys(server, 2));
        assertTrue(keys(server, 2).contains("mine:workers"));
        assertEquals("", keys(server, 0));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aUserWithFewRights(String name) throws Exception {
        Server server = start(name);
        server.ask("ACL", "SETUSER", "pacer", "on", ">geheim%/@", "~tempolimit:*", "resetchannels", "&tempolimit:*", "-@all",
                "+ping", "+auth", "+select", "+evalsha", "+eval", "+time", "+mget", "+set", "+get", "+del", "+pttl",
                "+publish", "+subscribe", "+unsubscribe",
                "+zadd", "+zrem", "+zcard", "+zremrangebyscore", "+pexpire", "+type", "+client|setinfo", "+client|setname");
        // Redis 6.2 does not know the last two of the above, and refuses all
        server.ask("ACL", "SETUSER", "pacer", "on", ">geheim%/@", "~tempolimit:*", "&tempolimit:*", "-@all",
                "+ping", "+auth", "+select", "+evalsha", "+eval", "+time", "+mget", "+set", "+get", "+del", "+pttl",
                "+publish", "+subscribe", "+unsubscribe",
                "+zadd", "+zrem", "+zcard", "+zremrangebyscore", "+pexpire", "+type");
        assertShared(worker("redis://pacer:geheim%25%2F%40@127.0.0.1:" + server.port), "shop.example");
        Worker two = worker(new FleetSettings("redis://pacer@127.0.0.1:" + server.port, "geheim%/@", false));
        assertShared(two, "shop.example");
        assertEquals(2, two.fleet.workers());
        assertTrue(two.told.stream().noneMatch(t -> t.startsWith("warning")), two.told.toString());
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aRefusedDatabaseIsOneWarning(String name) throws Exception {
        Server server = start(name, "--databases", "2");
        Worker worker = worker(server.uri());
        assertShared(worker, "shop.example");
        assertTrue(worker.told.contains("warning: Redis refuses database 2; database 0 is used"), worker.told.toString());
        assertTrue(keys(server, 0).contains("tempolimit:{shop.example}:bucket"));
    }

    @Test
    void aUserWhoMayNotListenIsOneWarning() throws Exception {
        Server server = start("redis-6.2");
        server.ask("ACL", "SETUSER", "pacer", "on", ">x", "~*", "resetchannels", "+@all", "-subscribe", "-publish");
        Worker worker = worker("redis://pacer:x@127.0.0.1:" + server.port);
        assertShared(worker, "shop.example");
        assertEquals(1, worker.told.stream().filter(t -> t.startsWith("warning: Redis refuses to let this user listen"))
                .count(), worker.told.toString());
    }


    @ParameterizedTest
    @MethodSource("servers")
    void tls(String name) throws Exception {
        Path folder = Files.createTempDirectory("tempolimit-tls");
        open.add(() -> {
            for (File f : folder.toFile().listFiles()) {
                f.delete();
            }
            Files.delete(folder);
        });
        Path store = folder.resolve("store");
        String keytool = System.getProperty("java.home") + "/bin/keytool";
        assertEquals(0, new ProcessBuilder(keytool, "-genkeypair", "-alias", "a", "-keyalg", "RSA", "-keystore",
                store.toString(), "-storepass", "changeit",
                "-storetype", "PKCS12", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1")
                        .redirectErrorStream(true).start().waitFor());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (FileInputStream in = new FileInputStream(store.toFile())) {
            keys.load(in, "changeit".toCharArray());
        }
        Path certificate = pem(folder.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("a").getEncoded());
        Path key = pem(folder.resolve("key.pem"), "PRIVATE KEY", keys.getKey("a", "changeit".toCharArray()).getEncoded());
        int port = Server.freePort();
        start(name, "--tls-port", Integer.toString(port), "--tls-cert-file", certificate.toString(), "--tls-key-file", key.toString(),
                "--tls-ca-cert-file", certificate.toString(), "--tls-auth-clients", "no");
        assertShared(worker("rediss://127.0.0.1:" + port + "?verifyPeer=NONE"), "shop.example");
        assertRefused("rediss://127.0.0.1:" + port, "its certificate is not trusted at 127.0.0.1:" + port + ": ", "trustStore");
    }

    /** Requests would wait for a minute for an answer that may come; there is none to wait for. */
    private void assertRefused(String uri, String what, String cure) {
        Worker worker = new Worker(new FleetSettings(uri, null, false).start(100 * SECOND)
                .fallback(FleetSettings.Fallback.LOCAL), 1000, 10);
        open.add(worker);
        long from = System.nanoTime();
        assertTrue(worker.acquire("shop.example"));
        assertTrue(System.nanoTime() - from < 60 * SECOND, "nobody waits for it");
        Server.await(() -> worker.told.stream().anyMatch(t -> t.startsWith("refused: " + what)), uri + " is refused: " + worker.told);
        List<String> told = new ArrayList<>(worker.told);
        told.remove("connected"); // who may not do what each request does is let in first
        assertEquals(1, told.size(), "once a minute: " + told);
        assertTrue(told.get(0).contains(cure), told.toString());
        assertEquals(Fleet.State.REFUSED, worker.fleet.state());
        assertTrue(told.get(0).endsWith(worker.fleet.trouble()));
        assertFalse(worker.told.toString().contains("hunter2"));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aRefusedPasswordIsSaidAtOnceWithTheSettingAndNotShown(String name) throws Exception {
        Server server = start(name, "--requirepass", "right").as("", "right");
        String at = " at 127.0.0.1:" + server.port + ": ";
        assertRefused("redis://:hunter2@127.0.0.1:" + server.port, "WRONGPASS" + at, "redis.password= or redis=");
        assertRefused("redis://hunter2:hunter2@127.0.0.1:" + server.port, "WRONGPASS" + at, "redis.password= or redis=");
        assertRefused("redis://127.0.0.1:" + server.port, "NOAUTH" + at, "redis.password=");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aPasswordForAServerThatHasNoneIsRefused(String name) throws Exception {
        Server server = start(name);
        assertRefused("redis://:hunter2@127.0.0.1:" + server.port,
                "it has no password at 127.0.0.1:" + server.port + ": ", "redis.password=");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aUserWhoLacksARightIsRefused(String name) throws Exception {
        Server server = start(name);
        server.ask("ACL", "SETUSER", "one", "on", ">hunter2", "~*", "&*", "+@all", "-set", "-evalsha");
        server.ask("ACL", "SETUSER", "two", "on", ">hunter2", "~*", "&*", "+@all", "-set");
        String at = "NOPERM at 127.0.0.1:" + server.port + ": ";
        assertRefused("redis://one:hunter2@127.0.0.1:" + server.port, at, "redis=");
        assertRefused("redis://two:hunter2@127.0.0.1:" + server.port, at, "redis=");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void tlsToAPortThatSpeaksNoneIsRefused(String name) throws Exception {
        Server server = start(name);
        assertRefused("rediss://:hunter2@127.0.0.1:" + server.port, "no TLS connection at 127.0.0.1:" + server.port + ": ", "rediss://");
    }

    @Test
    void aHostThatNobodyKnowsIsRefused() {
        assertRefused("redis://:hunter2@nobody.invalid", "unknown host at nobody.invalid:6379: ", "redis=");
        assertRefused("redis-sentinel://:hunter2@nobody.invalid:26379,nobody2.invalid:1#main",
                "unknown host at nobody.invalid:26379, nobody2.invalid:1: ", "redis=");
        Worker worker = new Worker(new FleetSettings("redis://nobody.invalid", null, true).start(100 * SECOND)
                .fallback(FleetSettings.Fallback.LOCAL), 1000, 10);
        open.add(worker);
        assertTrue(worker.acquire("shop.example"));
        assertTrue(worker.told.get(0).startsWith("refused: unknown host at nobody.invalid:6379: "), worker.told.toString());
        assertEquals(0, worker.fleet.workers());
        assertNull(worker.heard.get("shop.example"));
    }

    /** Whoever has mended it need not start the programs again. */
    @Test
    void whatWasRefusedIsSharedOnceItIsMended() throws Exception {
        Server server = start("redis-6.2", "--requirepass", "right").as("", "right");
        Worker worker = new Worker(new FleetSettings("redis://:new@127.0.0.1:" + server.port, null, false)
                .timeout(2 * SECOND).start(100 * SECOND), 1000, 10);
        open.add(worker);
        Server.await(() -> worker.told.size() == 1, "it is refused");
        server.ask("CONFIG", "SET", "requirepass", "new");
        server.as("", "new");
        Server.await(() -> worker.told.contains("restored"), "it is let in");
        assertEquals(Fleet.State.SHARED, worker.fleet.state());
        assertNull(worker.fleet.trouble());
    }

    /** Until it has been there for longer than from a worker's beat to the next, others that are there may not have been seen. */
    @Test
    void aWorkerKnowsHowManyOthersThereAreAfterABeatOfTheirs() throws Exception {
        Server server = start("redis-6.2");
        long from = System.nanoTime();
        Worker worker = worker(server.uri());
        assertShared(worker, "shop.example");
        Server.await(() -> worker.fleet.workers() == 1, "it has seen itself");
        Server.await(() -> worker.fleet.counted(), "it has counted");
        assertTrue(System.nanoTime() - from > Pulse.BEAT, "after " + (System.nanoTime() - from) + " ns");
    }

    /** A network that takes a second for each packet is slow, and not silent. */
    @Test
    void redisStartCountsFromEachStepTowardsAnAnswer() throws Exception {
        Server server = start("redis-6.2");
        Proxy proxy = new Proxy(server.port);
        open.add(proxy);
        proxy.drop(true);
        Worker worker = new Worker(new FleetSettings("redis://127.0.0.1:" + proxy.port, null, false).timeout(2 * SECOND)
                .start(SECOND), 1000, 10);
        open.add(worker);
        assertTrue(worker.acquire("shop.example"));
        assertTrue(worker.told.get(0).equals("connecting: still connecting"),
                "nobody has kept silent for as long as a connection may take: " + worker.told);
        assertEquals(Fleet.State.CONNECTING, worker.fleet.state());
        assertFalse(worker.fleet.shared(), "and requests go meanwhile");
        Server.await(() -> worker.fleet.state() == Fleet.State.ALONE, "then it does not answer");
        assertEquals("no answer in time", worker.fleet.trouble());
        proxy.drop(false);
        Server.await(() -> worker.told.contains("restored"), "it answers: " + worker.told);
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws Exception {
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind + "-----\n");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void sentinelsNameTheMasterAndTheNextOne(String name) throws Exception {
        Server master = start(name);
        Server replica = Server.replica(Servers.ALL.get(name), master.port);
        open.add(replica);
        Server sentinel = Server.sentinel(Servers.ALL.get(name), master, replica);
        open.add(sentinel);
        Worker worker = worker("redis-sentinel://127.0.0.1:" + sentinel.port + "#main");
        assertShared(worker, "shop.example");
        assertTrue(keys(master, 2).contains("tempolimit:{shop.example}:bucket"));
        master.kill();
        Server.await(() -> {
            worker.acquire("shop.example");
            return worker.fleet.shared() && replica.said("ROLE").startsWith("master")
                    && replica.said("INFO", "commandstats").contains("cmdstat_evalsha")
                    && worker.told.contains("restored");
        }, "the next master is asked: " + worker.told);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aCluster(String name) throws Exception {
        List<Server> nodes = Server.cluster(Servers.ALL.get(name));
        open.addAll(nodes);
        Worker worker = worker(new FleetSettings(nodes.get(0).uri() + "/7", null, true));
        for (int i = 0; i < 50; i++) {
            assertShared(worker, "host" + i + ".example");
        }
        for (Server node : nodes) {
            assertTrue(node.ask("KEYS", "*").contains(":bucket"), "each has a part of the keys");
        }
        Worker other = worker(new FleetSettings(nodes.get(2).uri(), null, true));
        assertShared(other, "host1.example");
        long now = System.nanoTime();
        worker.fleet.key("host1.example").write(new Incident.Builder(now).epoch(1)
                .rest(Incident.COOLING_DOWN, now + SECOND, SECOND, now).tripped(true).trips(1, now).count(3, now).build(), null,
                SECOND, (written, stored) -> { });
        Server.await(() -> other.heard.containsKey("host1.example"), "incidents go through the cluster");
    }

    /** Whoever needed a new connection after that never had one. */
    @Test
    void aClusterIsFoundByItsOtherNodesWhereTheOneOfTheAddressIsGone() throws Exception {
        List<Server> nodes = Server.cluster(Servers.first());
        open.addAll(nodes);
        for (Server node : nodes) {
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "no");
        }
        String workers = nodes.get(0).said("CLUSTER", "KEYSLOT", "tempolimit:workers");
        String bucket = nodes.get(0).said("CLUSTER", "KEYSLOT", "{shop.example}");
        int gone = 0;
        while (Integer.parseInt(workers) % 3 == gone || Integer.parseInt(bucket) % 3 == gone) {
            gone++; // slots are the nodes' in turn
        }
        Worker worker = new Worker(new FleetSettings(nodes.get(gone).uri(), null, true).timeout(SECOND / 5).start(30 * SECOND), 1000, 10);
        open.add(worker);
        assertShared(worker, "shop.example");
        nodes.get(gone).kill();
        for (int i = 0; i < 3; i++) {
            if (i != gone) {
                nodes.get(i).pause();
            }
        }
        Server.await(() -> {
            worker.acquire("shop.example");
            return !worker.fleet.transport.linked();
        }, "it has given up its connections");
        for (int i = 0; i < 3; i++) {
            if (i != gone) {
                nodes.get(i).resume();
            }
        }
        Server.await(() -> worker.acquire("shop.example") && worker.fleet.shared(), "it is back: " + worker.told);
    }

    @Test
    void anAddressWhereNobodyListensDoesNotStopAnything() throws Exception {
        Worker worker = new Worker(new FleetSettings("redis://127.0.0.1:" + Server.freePort(), null, false)
                .start(SECOND / 2).workers(2), 10, 1);
        open.add(worker);
        long from = System.nanoTime();
        assertTrue(worker.acquire("shop.example"));
        assertTrue(System.nanoTime() - from >= SECOND / 2, "the first one waits for redis.start");
        assertEquals("lost: not connected", worker.told.get(0));
        assertEquals(0, worker.fleet.workers());
        assertNull(worker.heard.get("shop.example"));
    }
}
