package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in by {@code admin.port}, and that nobody who is can hold others up. */
class AdminAccessIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void whatABrowserMayDoWithIt() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "")) {
            for (String path : List.of("/", "/stats.json", "/metrics", "/history", "/nothing", "/actions/pause")) {
                HttpResponse<String> answer = running.get(path);
                String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");
                assertTrue(policy.startsWith("default-src 'none'") && policy.contains("frame-ancestors 'none'")
                        && !policy.contains("unsafe"), policy);
                assertEquals(Optional.of("DENY"), answer.headers().firstValue("X-Frame-Options"), path);
                assertEquals(Optional.of("nosniff"), answer.headers().firstValue("X-Content-Type-Options"), path);
                assertEquals(Optional.of("no-store"), answer.headers().firstValue("Cache-Control"), path);
                assertEquals(Optional.of("no-referrer"), answer.headers().firstValue("Referrer-Policy"), path);
                assertEquals(Optional.of("same-origin"), answer.headers().firstValue("Cross-Origin-Resource-Policy"), path);
                assertTrue(answer.headers().map().keySet().stream()
                        .noneMatch(name -> name.toLowerCase().startsWith("access-control")), path);
            }
            assertEquals(404, running.get("/nothing").statusCode());
            assertEquals(405, running.post("/stats.json", "").statusCode());
            assertEquals(405, running.get("/actions/pause").statusCode());
            assertEquals(404, running.post("/actions/exit", "{}").statusCode());
            String page = running.get("/").body();
            assertFalse(Pattern.compile("(src|href)=\"(?!data:|stats\\.json|metrics)").matcher(page).find(), "something from elsewhere");
        }
    }

    /** A site cannot take an address or {@code localhost} for its name, so what comes under another name was led here by somebody. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 200", "127.0.0.1:80, 200", "localhost:9464, 200", "LOCALHOST, 200", "[::1]:9464, 200", "10.1.2.3:80, 200",
        "evil.example, 403", "evil.example:9464, 403", "localhost.evil.example, 403", "127.0.0.1.evil.example, 403", "x, 403",
        "127.0.0.1.nip.io, 403", "feed.fade:80, 403", "'', 403"})
    void hostIsChecked(String host, int status) throws Exception {
        AdminProgram running = shared();
        assertEquals("HTTP/1.1 " + status, running.raw("GET /stats.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                .substring(0, 12));
    }

    @ParameterizedTest
    @CsvSource({"GET /stats.json HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n",
            "GET /stats.json HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nHost: evil.example\\r\\n\\r\\n", "GET /stats.json HTTP/1.0\\r\\n\\r\\n"})
    void whereHostIsNotOneNobodyIsLetIn(String request) throws Exception {
        String line = shared().raw(request.replace("\\r", "\r").replace("\\n", "\n"));
        assertTrue(line.isEmpty() || line.matches("HTTP/1.1 4\\d\\d .*"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "\u0000\u0001\u00ff\u00fe\r\n\r\n",
            "GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "POST /actions/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "POST /actions/pause HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n"})
    void garbageHarmsNothing(String request) throws Exception {
        AdminProgram running = shared();
        String line = running.raw(request);
        assertTrue(line.isEmpty() || line.matches("HTTP/1.1 (200|4\\d\\d|501|505) .*"), line);
        assertEquals(200, running.get("/stats.json").statusCode());
        assertFalse(running.fork.stderr().contains("error inside"), running.fork::stderr);
    }

    /** For tests that change nothing. */
    private static AdminProgram shared() throws Exception {
        synchronized (AdminAccessIT.class) {
            if (shared == null) {
                shared = AdminProgram.start(17, "admin.token=s3cret");
            }
            return shared;
        }
    }

    private static AdminProgram shared;

    @AfterAll
    static void endShared() {
        if (shared != null) {
            shared.close();
        }
    }

    /** Every address of this machine may be reached by others; here the tests reach it as well. */
    @Test
    void beyondThisMachineEveryRequestNeedsTheToken() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "admin.host=0.0.0.0,admin.token=s3cret")) {
            for (String path : List.of("/", "/stats.json", "/metrics", "/feed", "/history", "/nothing", "/actions/pause")) {
                HttpResponse<String> answer = running.get(path);
                assertEquals(401, answer.statusCode(), path);
                assertEquals(Optional.of("Bearer realm=\"Tempolimit\""), answer.headers().firstValue("WWW-Authenticate"), path);
                assertEquals(401, running.post(path, "{}", "Authorization", "Bearer x").statusCode(), path);
            }
            assertTrue(running.get("/").body().contains("<html"), "there is no place to type the token in");
            assertEquals(200, running.get("/", "Authorization", "Bearer s3cret").statusCode());
            assertEquals(200, running.get("/metrics", "Authorization", "Bearer s3cret").statusCode());
            assertTrue(running.raw("GET / HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer s3cret\r\n\r\n")
                    .startsWith("HTTP/1.1 403 "));
        }
    }

    @Test
    void beyondThisMachineNothingStartsWithoutAToken() {
        try (Fork fork = Jvm.on(17).agent(AdminProgram.QUIET + "admin.port=0,admin.host=0.0.0.0").classpath(AdminProgram.CLASSES)
                .main("Asker").start()) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().startsWith("[tempolimit] agent arguments: admin.host=0.0.0.0: is reached from other machines, "
                    + "which needs an admin.token"), fork::stderr);
        }
    }

    /** Who asks and does not read, and who asks slowly, is cut off; the application's requests never wait for them. */
    @Test
    void aHundredSlowReadersHoldNobodyUp() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        List<Socket> slow = new ArrayList<>();
        try (AdminProgram running = AdminProgram.start(17, "rate=100000,burst=10000,max-keys=5000", AdminProgram.NO_KEEP_ALIVE)) {
            // so that an answer does not fit into the network's buffers
            assertEquals("true", running.ask("many " + SERVER.port() + " 1500"));
            running.ask("time " + site.url("/") + " 300"); // warm
            long alone = Long.parseLong(running.ask("time " + site.url("/") + " 300"));
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(2048);
                socket.connect(new InetSocketAddress("127.0.0.1", running.port));
                String path = i % 4 == 0 ? "/feed" : "/stats.json";
                socket.getOutputStream().write((i % 10 == 9 ? "GET "
                        : "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            long beside = Long.parseLong(running.ask("time " + site.url("/") + " 300"));
            assertTrue(beside < 3 * alone + 60_000, beside + " ms beside slow readers, " + alone + " ms alone");
            // once those before it were cut off
            assertEquals(200, running.get("/metrics").statusCode(), "those who read are not served any longer");
            Wait.until("its threads are few", running.fork, () -> running.ask("threads").split(",").length < 10);
            for (int i = 0; i < slow.size(); i++) {
                if (i % 10 == 9 || i % 4 != 0) { // an open page that reads again goes on
                    assertTrue(ends(slow.get(i)), "connection " + i + " was not cut off");
                }
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        socket.setSoTimeout((int) Jvm.LONG.toMillis());
        try {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[1 << 16];
            while (in.read(buffer) >= 0) {
                // what was on its way
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
