package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code admin.port} as programs see it: {@code /stats.json}, {@code /metrics}, the actions, and who is let in. The page itself: {@link StatusPageIT}. */
@Execution(ExecutionMode.CONCURRENT) @ResourceLock("attach") // as AttachIT
class AdminIT {
    private static final String QUIET = "user-agent.check=off,exclude=-private,report=false,";
    private static final Pattern ADDRESS = Pattern.compile("The status page is http://(\\S+):(\\d+)/");
    private static final Server SERVER = Server.start();

    /** Sends requests, and tells of its threads. */
    static final String ASKER = """
            import java.io.*;
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            public class Asker {
                public static void main(String[] args) throws Exception {
                    Map<String, FutureTask<String>> calls = new HashMap<>();
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] w = line.split(" ");
                        switch (w[0]) {
                            case "get":
                                System.out.println(get(w[1]));
                                break;
                            case "time":
                                long begin = System.nanoTime();
                                for (int i = 0; i < Integer.parseInt(w[2]); i++) {
                                    get(w[1]);
                                }
                                System.out.println((System.nanoTime() - begin) / 1000000);
                                break;
                            case "begin":
                                FutureTask<String> call = new FutureTask<>(() -> get(w[2]));
                                Thread thread = new Thread(call);
                                calls.put(w[1], call);
                                thread.start();
                                while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                                    Thread.sleep(1);
                                }
                                System.out.println(thread.isAlive() ? "waits" : "over");
                                break;
                            case "join":
                                System.out.println(calls.get(w[1]).get(30, TimeUnit.SECONDS));
                                break;
                            case "odd": // some host that is none
                                System.out.println(get(line.substring(4)));
                                break;
                            case "many": // a request to each of so many hosts
                                ExecutorService pool = Executors.newFixedThreadPool(8);
                                for (int i = 0; i < Integer.parseInt(w[2]); i++) {
                                    String url = "http://127.60." + i / 250 + "." + (i % 250 + 1) + ":" + w[1] + "/";
                                    pool.execute(() -> get(url));
                                }
                                pool.shutdown();
                                System.out.println(pool.awaitTermination(2, TimeUnit.MINUTES));
                                break;
                            case "crawl": // so many pages, link by link
                                new Thread(() -> System.out.println(crawl(w[1], Integer.parseInt(w[2])))).start();
                                break;
                            case "threads":
                                Set<String> names = new TreeSet<>();
                                for (Thread t : Thread.getAllStackTraces().keySet()) {
                                    if (t.getName().contains("admin") || t.getName().contains("HTTP-")) {
                                        names.add(t.getName() + (t.isDaemon() ? "" : "!"));
                                    }
                                }
                                System.out.println(names);
                                break;
                            case "own": // the application's own server is its own
                                System.out.println(com.sun.net.httpserver.HttpServer.create().getClass().getName());
                                break;
                        }
                    }
                }
                static int crawl(String start, int pages) {
                    Deque<String> next = new ArrayDeque<>(Collections.singleton(start));
                    Set<String> seen = new HashSet<>(next);
                    int got = 0;
                    while (got < pages && !next.isEmpty()) {
                        String url = next.poll();
                        try {
                            HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                            if (c.getResponseCode() != 200) {
                                c.getErrorStream().close();
                                next.add(url);
                                continue;
                            }
                            ByteArrayOutputStream page = new ByteArrayOutputStream();
                            for (int b; (b = c.getInputStream().read()) >= 0; ) {
                                page.write(b);
                            }
                            got++;
                            java.util.regex.Matcher link = java.util.regex.Pattern.compile("href=\\"([^\\"#]+)\\"").matcher(page.toString());
                            while (link.find()) {
                                String to = new URL(new URL(url), link.group(1)).toString();
                                if (to.startsWith(start) && seen.add(to)) {
                                    next.add(to);
                                }
                            }
                        } catch (IOException e) {
                            next.add(url);
                        }
                    }
                    return got;
                }
            """ + Source.GET + "}";
    private static final Path PROGRAM = Source.compile(8, ASKER);

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** A program with a port, and what a client of that needs. */
    static final class Running implements AutoCloseable {
        final Fork fork;
        final int port;

        private Running(Fork fork) throws Exception {
            this.fork = fork;
            Wait.until("its page is served", fork, () -> ADDRESS.matcher(fork.stderr()).find());
            Matcher m = ADDRESS.matcher(fork.stderr());
            assertTrue(m.find());
            port = Integer.parseInt(m.group(2));
        }

        static Running start(int java, String settings, String... options) throws Exception {
            Fork.Builder builder = Jvm.on(java).agent(QUIET + "admin.port=0" + (settings.isEmpty() ? "" : "," + settings)).classpath(PROGRAM);
            for (String option : options) {
                builder.option(option);
            }
            return new Running(builder.main("Asker").start());
        }

        String ask(String what) {
            return fork.ask(what, Jvm.LONG);
        }

        HttpResponse<String> get(String path, String... headers) throws Exception {
            return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)), headers);
        }

        HttpResponse<String> post(String path, String body, String... headers) throws Exception {
            return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).POST(HttpRequest.BodyPublishers.ofString(body)), headers);
        }

        private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            return CLIENT.send(request.timeout(Jvm.LONG).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** Bytes as they are; gives what comes back until the connection ends, or the first line if {@code head}. */
        String raw(String request) throws IOException {
            try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
                socket.setSoTimeout((int) Jvm.LONG.toMillis());
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                StringBuilder line = new StringBuilder();
                InputStream in = socket.getInputStream();
                for (int c; (c = in.read()) >= 0 && c != '\n'; ) {
                    line.append((char) c);
                }
                return line.toString().trim();
            } catch (IOException reset) {
                return "";
            }
        }

        @Override
        public void close() {
            fork.close();
        }
    }

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#all")
    void showsWhatJmxShows(int java) throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(403), Server.Script.status(200)));
        try (Running running = Running.start(java, "rate=1,burst=1")) {
            for (String status : List.of("200", "403", "200")) {
                assertEquals(status, running.ask("get " + site.url("/p?secret=hunter2")));
            }
            JsonObject stats = JsonParser.parseString(running.get("/stats.json").body()).getAsJsonObject();
            JsonObject host = stats.getAsJsonArray("domains").get(0).getAsJsonObject();
            assertEquals(site.host(), host.get("domain").getAsString());
            assertEquals(3, host.get("total_requests").getAsInt());
            assertEquals(1, host.getAsJsonObject("blocks_by_type").get("403_forbidden").getAsInt());

            String metrics = running.get("/metrics").body();
            assertTrue(metrics.contains("tempolimit_requests_total{key=\"" + site.host() + "\"} 3.0\n"), metrics);
            assertTrue(metrics.contains("tempolimit_blocks_total{key=\"" + site.host() + "\",type=\"403_forbidden\"} 1.0\n"), metrics);
            assertTrue(metrics.contains("tempolimit_keys{state=\"open\"} 1.0\n"), metrics);
            JsonObject hour = JsonParser.parseString(running.get("/history?" + site.host()).body()).getAsJsonObject();
            assertEquals(60, hour.getAsJsonArray("requests").size());
            assertEquals(3, sum(hour.getAsJsonArray("requests")));
            assertEquals(1, sum(hour.getAsJsonArray("blocks")));
            assertTrue(sum(hour.getAsJsonArray("wait_ms")) > 0, hour::toString);
            for (String path : List.of("/", "/stats.json", "/metrics", "/history", "/history?" + site.host())) {
                assertEquals(200, running.get(path).statusCode(), path);
                assertFalse(running.get(path).body().contains("hunter2"), path);
            }
            String threads = running.ask("threads");
            assertTrue(threads.contains("tempolimit-admin") && !threads.contains("!"), threads);
            if (java < 9) {
                assertEquals("sun.net.httpserver.HttpServerImpl", running.ask("own"));
            }
            running.fork.endInput();
            assertEquals(0, running.fork.exit(Jvm.LONG), "the page keeps the program from ending");
        }
    }

    private static int sum(JsonArray numbers) {
        int sum = 0;
        for (var n : numbers) {
            sum += n.getAsInt();
        }
        return sum;
    }

    /** Debian's package prometheus has it. */
    @Test
    void prometheusFindsNoFaultAndTheDashboardAsksForNothingElse() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(429));
        try (Running running = Running.start(17, "rate=50")) {
            for (int i = 0; i < 4; i++) {
                running.ask("begin " + i + " " + site.url("/"));
            }
            Wait.until("its host rests", running.fork, () -> running.get("/metrics").body().contains("tempolimit_resting{key=\"" + site.host() + "\"} 1.0"));
            HttpResponse<String> answer = running.get("/metrics");
            assertEquals("text/plain; version=0.0.4; charset=utf-8", answer.headers().firstValue("Content-Type").orElse(null));
            Set<String> exposed = new TreeSet<>();
            answer.body().lines().filter(l -> !l.startsWith("#")).forEach(l -> exposed.add(l.split("[ {]")[0]));
            String dashboard = Files.readString(Path.of("../../examples/grafana/tempolimit.json"));
            JsonParser.parseString(dashboard);
            Set<String> asked = Pattern.compile("tempolimit_\\w+").matcher(dashboard).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
            assertTrue(asked.size() > 10, asked::toString);
            Set<String> missing = new TreeSet<>(asked);
            missing.removeAll(exposed);
            assertEquals(Set.of(), missing, () -> "exposed: " + exposed);

            Optional<Path> promtool = Browser.find("PROMTOOL", "*  NOT TESTED by Prometheus' own tool: no promtool on this machine.\n*  Debian: apt-get install prometheus", "promtool");
            Assumptions.assumeTrue(promtool.isPresent(), "SKIPPED: no promtool on this machine");
            Path text = Files.writeString(Source.folder().resolve("metrics"), answer.body());
            Process check = new ProcessBuilder(promtool.get().toString(), "check", "metrics").redirectInput(text.toFile()).redirectErrorStream(true).start();
            assertEquals("", new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertEquals(0, check.waitFor());
        }
    }

    /** 500 keys have their own metrics; the others' sum never falls, whoever is forgotten. */
    @Test
    void metricsAreBounded() throws Exception {
        try (Running running = Running.start(17, "rate=1000,burst=100,max-keys=700")) {
            int before = 0;
            for (int n = 0; n < 900; n++) {
                Server.Site site = SERVER.site("127.51", Server.Script.status(200));
                assertEquals("200", running.ask("get " + site.url("/")));
                if (n == 480 || n == 620 || n == 899) {
                    String metrics = running.get("/metrics").body();
                    long keys = metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{")).count();
                    assertEquals(n == 480 ? 481 : 501, keys);
                    assertEquals(n != 480, metrics.contains("key=\"_other\""));
                    int others = metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{key=\"_other\"")).mapToInt(l -> (int) Double.parseDouble(l.split(" ")[1])).sum();
                    assertTrue(others >= before, others + " after " + before);
                    before = others;
                }
            }
        }
    }

    /** Where counters are set to zero, and where a host has the name that all others have together. */
    @Test
    void theSumOfTheOthersNeverFalls() throws Exception {
        try (Running running = Running.start(17, "rate=1000,burst=100,admin.token=s3cret")) {
            running.ask("odd http://_other/");
            List<String> hosts = new ArrayList<>();
            for (int n = 0; n < 510; n++) {
                Server.Site site = SERVER.site("127.53", Server.Script.status(200));
                assertEquals("200", running.ask("get " + site.url("/")));
                hosts.add(site.host());
            }
            String metrics = running.get("/metrics").body();
            assertEquals(11, others(metrics), metrics);
            String unnamed = hosts.stream().filter(host -> !metrics.contains("\"" + host + "\"")).findFirst().orElseThrow();
            assertEquals(200, running.post("/actions/reset-stats", "{\"key\":\"" + unnamed + "\"}", "Authorization", "Bearer s3cret").statusCode());
            Wait.until("its counters are zero", running.fork, () -> running.get("/stats.json").body().matches("(?s).*\"" + unnamed + "\",\"state\":\"open\",\"total_requests\":0,.*"));
            Thread.sleep(250); // two scrapes at once share a look
            assertEquals(11, others(running.get("/metrics").body()));
        }
    }

    private static int others(String metrics) {
        List<Integer> found = metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{key=\"_other\"")).map(l -> (int) Double.parseDouble(l.split(" ")[1])).toList();
        assertEquals(1, found.size(), metrics);
        return found.get(0);
    }

    @Test
    void whatABrowserMayDoWithIt() throws Exception {
        try (Running running = Running.start(17, "")) {
            for (String path : List.of("/", "/stats.json", "/metrics", "/history", "/nothing", "/actions/pause")) {
                HttpResponse<String> answer = running.get(path);
                String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");
                assertTrue(policy.startsWith("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), policy);
                assertEquals(Optional.of("DENY"), answer.headers().firstValue("X-Frame-Options"), path);
                assertEquals(Optional.of("nosniff"), answer.headers().firstValue("X-Content-Type-Options"), path);
                assertEquals(Optional.of("no-store"), answer.headers().firstValue("Cache-Control"), path);
                assertEquals(Optional.of("no-referrer"), answer.headers().firstValue("Referrer-Policy"), path);
                assertEquals(Optional.of("same-origin"), answer.headers().firstValue("Cross-Origin-Resource-Policy"), path);
                assertTrue(answer.headers().map().keySet().stream().noneMatch(name -> name.toLowerCase().startsWith("access-control")), path);
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
        "evil.example, 403", "evil.example:9464, 403", "localhost.evil.example, 403", "127.0.0.1.evil.example, 403", "x, 403", "127.0.0.1.nip.io, 403", "feed.fade:80, 403", "'', 403"})
    void hostIsChecked(String host, int status) throws Exception {
        Running running = shared();
        assertEquals("HTTP/1.1 " + status, running.raw("GET /stats.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").substring(0, 12));
    }

    @ParameterizedTest
    @CsvSource({"GET /stats.json HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n", "GET /stats.json HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nHost: evil.example\\r\\n\\r\\n", "GET /stats.json HTTP/1.0\\r\\n\\r\\n"})
    void whereHostIsNotOneNobodyIsLetIn(String request) throws Exception {
        String line = shared().raw(request.replace("\\r", "\r").replace("\\n", "\n"));
        assertTrue(line.isEmpty() || line.matches("HTTP/1.1 4\\d\\d .*"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "\u0000\u0001\u00ff\u00fe\r\n\r\n", "GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "POST /actions/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "POST /actions/pause HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n"})
    void garbageHarmsNothing(String request) throws Exception {
        Running running = shared();
        String line = running.raw(request);
        assertTrue(line.isEmpty() || line.matches("HTTP/1.1 (200|4\\d\\d|501|505) .*"), line);
        assertEquals(200, running.get("/stats.json").statusCode());
        assertFalse(running.fork.stderr().contains("error inside"), running.fork::stderr);
    }

    /** For tests that change nothing. */
    private static Running shared() throws Exception {
        synchronized (AdminIT.class) {
            if (shared == null) {
                shared = Running.start(17, "admin.token=s3cret");
            }
            return shared;
        }
    }

    private static Running shared;

    @AfterAll
    static void endShared() {
        if (shared != null) {
            shared.close();
        }
    }

    @Test
    void actionsAskForTheTokenAndComeFromNoOtherPage() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (Running running = Running.start(17, "rate=100,burst=100,admin.token=s3cret"); Running without = Running.start(17, "rate=100,burst=100")) {
            assertEquals("200", running.ask("get " + site.url("/")));
            assertEquals("200", without.ask("get " + site.url("/")));
            String pause = "{\"key\":\"" + site.host() + "\",\"seconds\":3600}";
            String[] right = {"Authorization", "Bearer s3cret"};
            assertEquals(403, without.post("/actions/pause", pause, right).statusCode(), "there is no token");
            for (String wrong : List.of("Bearer s3cre", "Bearer s3cret2", "Bearer ", "s3cret", "Basic czNjcmV0", "Bearer S3CRET")) {
                assertEquals(401, running.post("/actions/pause", pause, "Authorization", wrong).statusCode(), wrong);
            }
            assertEquals(401, running.post("/actions/pause", pause).statusCode());
            assertEquals(401, running.post("/actions/pause?token=s3cret", pause).statusCode());
            for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "http://localhost:" + running.port)) {
                assertEquals(403, running.post("/actions/pause", pause, "Authorization", "Bearer s3cret", "Origin", origin).statusCode(), origin);
            }
            assertEquals("200", running.ask("get " + site.url("/")), "something has paused it");

            assertEquals(200, running.post("/actions/pause", pause, "Authorization", "Bearer s3cret", "Origin", "http://127.0.0.1:" + running.port).statusCode());
            assertEquals("waits", running.ask("begin a " + site.url("/")));
            JsonObject host = host(running);
            assertEquals("cooling_down", host.get("state").getAsString());
            assertEquals("operator", host.get("cooldown_reason").getAsString());
            assertEquals(200, running.post("/actions/resume", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals("200", running.ask("join a"));

            assertEquals(200, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":0.01,\"burst\":1}", right).statusCode());
            assertEquals("200", running.ask("get " + site.url("/"))); // the one token there is
            assertEquals("waits", running.ask("begin b " + site.url("/")));
            assertEquals(200, running.post("/actions/reset", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals("200", running.ask("join b"));
            assertEquals(200, running.post("/actions/reset-stats", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals(0, host(running).get("total_requests").getAsInt());

            assertEquals(200, running.post("/actions/pause", pause, right).statusCode());
            assertEquals("waits", running.ask("begin c " + site.url("/")));
            assertEquals(200, running.post("/actions/dry-run", "{\"on\":true}", right).statusCode());
            assertEquals("200", running.ask("join c"));
            assertEquals(200, running.post("/actions/dry-run", "{\"on\":false}", right).statusCode());
            assertEquals(200, running.post("/actions/pause", pause, right).statusCode()); // an answer has ended the other one
            assertEquals("waits", running.ask("begin d " + site.url("/")));
            assertEquals(200, running.post("/actions/enabled", "{\"on\":false}", right).statusCode());
            assertEquals("200", running.ask("join d"));
            assertEquals(200, running.post("/actions/enabled", "{\"on\":true}", right).statusCode());

            for (String bad : List.of("", "{", "[]", "{\"key\":\"no.such.host\",\"seconds\":1}", "{\"key\":\"" + site.host() + "\"}", "{\"seconds\":1}", "{\"key\":5,\"seconds\":\"x\"}",
                    "{\"key\":\"" + site.host() + "\",\"seconds\":-1}", "{\"key\":\"" + site.host() + "\",\"seconds\":1,\"more\":1}", pause + pause)) {
                assertEquals(400, running.post("/actions/pause", bad, right).statusCode(), bad);
            }
            assertEquals(400, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":0,\"burst\":1}", right).statusCode());
            for (String burst : List.of("1.5", "1e300", "0", "-1", "2147483648")) { // and not another one than was asked for
                assertEquals(400, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":1,\"burst\":" + burst + "}", right).statusCode(), burst);
            }
            assertEquals(400, running.post("/actions/enabled", "{}", right).statusCode());
            assertEquals(413, running.post("/actions/pause", " ".repeat(5000) + pause, right).statusCode());
            assertFalse(running.fork.stderr().contains("s3cret"), running.fork::stderr);
        }
    }

    private static JsonObject host(Running running) throws Exception {
        return JsonParser.parseString(running.get("/stats.json").body()).getAsJsonObject().getAsJsonArray("domains").get(0).getAsJsonObject();
    }

    /** Every address of this machine may be reached by others; here the tests reach it as well. */
    @Test
    void beyondThisMachineEveryRequestNeedsTheToken() throws Exception {
        try (Running running = Running.start(17, "admin.host=0.0.0.0,admin.token=s3cret")) {
            for (String path : List.of("/", "/stats.json", "/metrics", "/feed", "/history", "/nothing", "/actions/pause")) {
                HttpResponse<String> answer = running.get(path);
                assertEquals(401, answer.statusCode(), path);
                assertEquals(Optional.of("Bearer realm=\"Tempolimit\""), answer.headers().firstValue("WWW-Authenticate"), path);
                assertEquals(401, running.post(path, "{}", "Authorization", "Bearer x").statusCode(), path);
            }
            assertTrue(running.get("/").body().contains("<html"), "there is no place to type the token in");
            assertEquals(200, running.get("/", "Authorization", "Bearer s3cret").statusCode());
            assertEquals(200, running.get("/metrics", "Authorization", "Bearer s3cret").statusCode());
            assertTrue(running.raw("GET / HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer s3cret\r\n\r\n").startsWith("HTTP/1.1 403 "));
        }
    }

    @Test
    void beyondThisMachineNothingStartsWithoutAToken() {
        try (Fork fork = Jvm.on(17).agent(QUIET + "admin.port=0,admin.host=0.0.0.0").classpath(PROGRAM).main("Asker").start()) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().startsWith("[tempolimit] agent arguments: admin.host=0.0.0.0: is reached from other machines, which needs an admin.token"), fork::stderr);
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void anOccupiedPortIsOneWarning(int java) throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            try (Fork fork = Jvm.on(java).agent(QUIET + "admin.port=" + taken.getLocalPort()).classpath(PROGRAM).main("Asker").start()) {
                assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
                Wait.until("it warns", fork, () -> fork.stderr().contains("WARN"));
                assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
                assertEquals(1, Jvm.lines(fork.stderr()).size(), fork::stderr);
                assertTrue(fork.stderr().contains("admin.port=" + taken.getLocalPort() + " cannot be opened on 127.0.0.1"), fork::stderr);
            }
        }
    }

    @Test
    void withoutTheJdksServerThereIsOneWarning() throws Exception {
        Path program = Source.compile(17, ASKER.replace("System.out.println(com.sun.net.httpserver.HttpServer.create().getClass().getName());", ""));
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (Fork fork = Jvm.on(17).option("--limit-modules=java.base,java.instrument,java.management").agent(QUIET + "admin.port=0").classpath(program).main("Asker").start()) {
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            Wait.until("it warns", fork, () -> fork.stderr().contains("WARN"));
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            assertEquals(1, Jvm.lines(fork.stderr()).size(), fork::stderr);
            assertTrue(fork.stderr().contains("jdk.httpserver"), fork::stderr);
        }
    }

    @Test
    void withoutAPortNothingOfItIsLoaded() {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (Fork fork = Jvm.on(17).option("-Xlog:class+load").agent(QUIET.substring(0, QUIET.length() - 1)).classpath(PROGRAM).main("Asker").start()) {
            fork.tell("get " + site.url("/"));
            String line;
            do {
                line = fork.line(Jvm.LONG);
            } while (!line.equals("200"));
            assertTrue(fork.stdout().contains(" io.tempolimit.core.Limiter "), "classes are not told");
            for (String odd : List.of("io.tempolimit.admin", "io.tempolimit.shaded.prometheus", "sun.net.httpserver")) {
                assertFalse(fork.stdout().contains(" " + odd), odd);
            }
        }
    }

    /** Who asks and does not read, and who asks slowly, is cut off; the application's requests never wait for them. */
    @Test
    void aHundredSlowReadersHoldNobodyUp() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        List<Socket> slow = new ArrayList<>();
        try (Running running = Running.start(17, "rate=100000,burst=10000,max-keys=5000")) {
            for (int i = 0; i < 1500; i++) { // so that an answer does not fit into the network's buffers
                running.ask("get " + SERVER.site("127.52", Server.Script.status(200)).url("/"));
            }
            running.ask("time " + site.url("/") + " 300"); // warm
            long alone = Long.parseLong(running.ask("time " + site.url("/") + " 300"));
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(2048);
                socket.connect(new InetSocketAddress("127.0.0.1", running.port));
                String path = i % 4 == 0 ? "/feed" : "/stats.json";
                socket.getOutputStream().write((i % 10 == 9 ? "GET " : "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            long beside = Long.parseLong(running.ask("time " + site.url("/") + " 300"));
            assertTrue(beside < 3 * alone + 5000, beside + " ms beside slow readers, " + alone + " ms alone");
            assertEquals(200, running.get("/metrics").statusCode(), "those who read are not served any longer"); // once those before it were cut off
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
