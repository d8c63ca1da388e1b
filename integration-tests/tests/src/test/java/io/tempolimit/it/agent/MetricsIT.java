package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Server;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** {@code /metrics}: what Prometheus asks for. */
class MetricsIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Debian's package prometheus has it. */
    @Test
    void prometheusFindsNoFaultAndTheDashboardAsksForNothingElse() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(429));
        try (AdminProgram running = AdminProgram.start(17, "rate=50")) {
            for (int i = 0; i < 4; i++) {
                running.ask("begin " + i + " " + site.url("/"));
            }
            Wait.until("its host is in cooldown", running.fork,
                    () -> running.get("/metrics").body().contains("tempolimit_in_cooldown{key=\"" + site.host() + "\"} 1.0"));
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

    /** So many keys as metrics.keys says have their own metrics; the others' sum never falls, whoever is forgotten. */
    @Test
    void metricsAreBounded() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "rate=1000,burst=100,max-keys=700,metrics.keys=500", AdminProgram.NO_KEEP_ALIVE)) {
            int sent = 0;
            int before = 0;
            for (int hosts : new int[] {481, 621, 900}) {
                assertEquals("true", running.ask("many " + SERVER.port() + " " + hosts));
                int all = sent += hosts;
                Wait.until("it looks anew", running.fork, () -> {
                    int counted = requests(running.get("/metrics").body()).sum();
                    return hosts <= 700 ? counted == all : counted > all - hosts; // what a host did just before it was forgotten is not counted
                });
                String metrics = running.get("/metrics").body();
                assertEquals(Math.min(hosts, 501), requests(metrics).count());
                assertEquals(hosts > 500, metrics.contains("key=\"_other\""));
                int others = hosts > 500 ? others(metrics) : 0;
                assertTrue(others >= before, others + " after " + before);
                before = others;
            }
        }
    }

    /** Where counters are set to zero, and where a host has the name that all others have together. */
    @Test
    void theSumOfTheOthersNeverFalls() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "rate=1000,burst=100,admin.token=s3cret,metrics.keys=500")) {
            running.ask("odd http://_other/");
            List<Server.Site> sites = new ArrayList<>();
            for (int n = 0; n < 510; n++) {
                Server.Site site = SERVER.site("127.53", Server.Script.status(200));
                assertEquals("200", running.ask("get " + site.url("/")));
                sites.add(site);
            }
            String metrics = running.get("/metrics").body();
            assertEquals(11, others(metrics), metrics);
            Map<Boolean, List<Server.Site>> byName = sites.stream().collect(Collectors.partitioningBy(s -> metrics.contains("\"" + s.host() + "\"")));
            String unnamed = byName.get(false).get(0).host();
            String reset = "{\"key\":\"" + unnamed + "\"}";
            assertEquals(200, running.post("/actions/reset-stats", reset, "Authorization", "Bearer s3cret").statusCode());
            Pattern zero = Pattern.compile("\"" + unnamed + "\",\"state\":\"open\",\"total_requests\":0,");
            Wait.until("its counters are zero", running.fork, () -> zero.matcher(running.get("/stats.json").body()).find());
            Server.Site named = byName.get(true).get(0);
            assertEquals("200", running.ask("get " + named.url("/")));
            String looked = "tempolimit_requests_total{key=\"" + named.host() + "\"} 2.0\n"; // two scrapes at once share a look
            Wait.until("it looks anew", running.fork, () -> running.get("/metrics").body().contains(looked));
            assertEquals(11, others(running.get("/metrics").body()));
        }
    }

    /** Of each key, the others' among them. */
    private static IntStream requests(String metrics) {
        return metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{")).mapToInt(l -> (int) Double.parseDouble(l.split(" ")[1]));
    }

    private static int others(String metrics) {
        List<Integer> found = metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{key=\"_other\"")).map(l -> (int) Double.parseDouble(l.split(" ")[1])).toList();
        assertEquals(1, found.size(), metrics);
        return found.get(0);
    }
}
