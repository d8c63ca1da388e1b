package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.FleetSettings;
import io.tempolimit.core.Incident;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways to a Redis: single, by sentinels, a cluster, by TLS, as a user with few rights. Each has servers of its own, and waits for them most of the time. */
@Execution(ExecutionMode.CONCURRENT)
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
                "+ping", "+auth", "+select", "+evalsha", "+eval", "+time", "+mget", "+set", "+get", "+del", "+pttl", "+publish", "+subscribe", "+unsubscribe",
                "+zadd", "+zrem", "+zcard", "+zremrangebyscore", "+pexpire", "+type", "+client|setinfo", "+client|setname");
        server.ask("ACL", "SETUSER", "pacer", "on", ">geheim%/@", "~tempolimit:*", "&tempolimit:*", "-@all",
                "+ping", "+auth", "+select", "+evalsha", "+eval", "+time", "+mget", "+set", "+get", "+del", "+pttl", "+publish", "+subscribe", "+unsubscribe",
                "+zadd", "+zrem", "+zcard", "+zremrangebyscore", "+pexpire", "+type"); // Redis 6.2 does not know the last two of the above, and refuses all
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
        assertEquals(1, worker.told.stream().filter(t -> t.startsWith("warning: Redis refuses to let this user listen")).count(), worker.told.toString());
    }

    @Test
    void aWrongPasswordIsSaidAndNotShown() throws Exception {
        Server server = start("redis-6.2", "--requirepass", "right").as("", "right");
        Worker worker = new Worker(new FleetSettings("redis://:hunter2@127.0.0.1:" + server.port, null, false).start(10 * SECOND), 1000, 10);
        open.add(worker);
        assertTrue(worker.acquire("shop.example"));
        Server.await(() -> worker.told.stream().anyMatch(t -> t.startsWith("lost")), "it is said");
        assertTrue(worker.told.stream().anyMatch(t -> t.equals("lost: WRONGPASS")), worker.told.toString());
        assertFalse(worker.told.toString().contains("hunter2"));
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
        assertEquals(0, new ProcessBuilder(keytool, "-genkeypair", "-alias", "a", "-keyalg", "RSA", "-keystore", store.toString(), "-storepass", "changeit",
                "-storetype", "PKCS12", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1").redirectErrorStream(true).start().waitFor());
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
        Worker careful = new Worker(new FleetSettings("rediss://127.0.0.1:" + port, null, false).start(3 * SECOND), 1000, 10);
        open.add(careful);
        assertTrue(careful.acquire("shop.example"));
        Server.await(() -> careful.told.contains("lost: no TLS connection"), "a certificate that nobody vouches for: " + careful.told);
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws Exception {
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind + "-----\n");
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
            return worker.fleet.shared() && replica.said("ROLE").startsWith("master") && replica.said("INFO", "commandstats").contains("cmdstat_evalsha")
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
        worker.fleet.key("host1.example").write(new Incident(0, 1, Incident.COOLING_DOWN, now + SECOND, SECOND, now, true, false, 1, now, 3, now, 0, 0, "-", now), null,
                SECOND, (written, stored) -> { });
        Server.await(() -> other.heard.containsKey("host1.example"), "incidents go through the cluster");
    }

    @Test
    void anAddressThatNobodyHasDoesNotStopAnything() {
        Worker worker = new Worker(new FleetSettings("redis://nobody.invalid", null, false).start(SECOND / 2).workers(2), 10, 1);
        open.add(worker);
        long from = System.nanoTime();
        assertTrue(worker.acquire("shop.example"));
        assertTrue(System.nanoTime() - from >= SECOND / 2, "the first one waits for redis.start");
        assertTrue(worker.told.get(0).startsWith("warning: Redis was never reached"), worker.told.toString());
        assertEquals("lost: unknown host", worker.told.get(1));
        assertEquals(2, worker.fleet.workers());
        assertNull(worker.heard.get("shop.example"));
    }
}
