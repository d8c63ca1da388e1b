package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
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
import java.util.TreeMap;
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
            Set<String> asked = Pattern.compile("tempolimit_\\w+").matcher(dashboard).results().map(MatchResult::group)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertTrue(asked.size() > 10, asked::toString);
            Set<String> missing = new TreeSet<>(asked);
            missing.removeAll(exposed);
            // without Redis there are none
            missing.removeAll(Set.of("tempolimit_redis_shared", "tempolimit_redis_refused", "tempolimit_redis_workers"));
            assertEquals(Set.of(), missing, () -> "exposed: " + exposed);

            Optional<Path> promtool = Browser.find("PROMTOOL",
                    "*  NOT TESTED by Prometheus' own tool: no promtool on this machine.\n*  Debian: apt-get install prometheus",
                    "promtool");
            Assumptions.assumeTrue(promtool.isPresent(), "SKIPPED: no promtool on this machine");
            Path text = Files.writeString(Source.folder().resolve("metrics"), answer.body());
            Process check = new ProcessBuilder(promtool.get().toString(), "check", "metrics").redirectInput(text.toFile())
                    .redirectErrorStream(true).start();
            assertEquals("", new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertEquals(0, check.waitFor());
        }
    }

    /** A host's first block, and the first of a type, was none: increase() knows no value before the first one. */
    @Test
    void theDashboardCountsTheFirstBlockOfAHostAndWhatWasSent() throws Exception {
        Optional<Path> promtool =
                Browser.find("PROMTOOL",
                "*  NOT TESTED by Prometheus' own tool: no promtool on this machine.\n*  Debian: apt-get install prometheus", "promtool");
        Assumptions.assumeTrue(promtool.isPresent(), "SKIPPED: no promtool on this machine");
        Map<String, String> panels = new TreeMap<>();
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        for (JsonElement panel : JsonParser.parseString(Files.readString(Path.of("../../examples/grafana/tempolimit.json")))
                .getAsJsonObject().getAsJsonArray("panels")) {
            for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
                String expr = target.getAsJsonObject().get("expr").getAsString().replaceAll("\\$(job|instance|key)", ".*")
                        .replace("$__rate_interval", "1m").replace("$__range", "1h");
                panels.putIfAbsent(panel.getAsJsonObject().get("title").getAsString(), expr);
                rules.append("  - {record: r").append(rules.length()).append(", expr: '").append(expr).append("'}\n");
            }
        }
        Path file = Files.writeString(Source.folder().resolve("rules.yml"), rules);
        String said = run(promtool.get(), "check", "rules", file.toString());
        assertTrue(said.contains("SUCCESS"), said);
        String tests = """
                rule_files: []
                evaluation_interval: 15s
                tests:
                - interval: 15s
                  input_series:
                  - {series: 'tempolimit_requests_total{key="a"}', values: '_x40 5+15x200'}
                  - {series: 'tempolimit_rejected_requests_total{key="a"}', values: '_x40 0+12x200'}
                  - {series: 'tempolimit_blocked_requests_total{key="a"}', values: '_x40 1x200'}
                  - {series: 'tempolimit_blocks_total{key="a",type="429_rate_limited"}', values: '_x40 1x200'}
                  promql_expr_test:
                  - {expr: 'round(%s)', eval_time: 50m, exp_samples: [{value: 1}]}
                  - {expr: '%s', eval_time: 10m30s, exp_samples: [{labels: '{type="429_rate_limited"}', value: 1}]}
                  - {expr: '%s', eval_time: 40m, exp_samples: [{labels: '{type="429_rate_limited"}', value: 0}]}
                  - {expr: 'round(%s, 0.001)', eval_time: 40m, exp_samples: [{value: 0.2}]}
                """.formatted(panels.get("Blocks"), panels.get("Blocks, by type"), panels.get("Blocks, by type"), panels.get("Requests"));
        said = run(promtool.get(), "test", "rules", Files.writeString(file.resolveSibling("tests.yml"), tests).toString());
        assertTrue(said.contains("SUCCESS"), said);
    }

    private static String run(Path tool, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** So many keys as metrics.keys says have their own metrics; the others' sum never falls, whoever is forgotten. */
    @Test
    void metricsAreBounded() throws Exception {
        try (AdminProgram running = AdminProgram.start(17, "rate=1000,burst=100,max-keys=700,metrics.keys=500",
                AdminProgram.NO_KEEP_ALIVE)) {
            int sent = 0;
            int before = 0;
            for (int hosts : new int[] {481, 621, 900}) {
                assertEquals("true", running.ask("many " + SERVER.port() + " " + hosts));
                int all = sent += hosts;
                Wait.until("it looks anew", running.fork, () -> {
                    int counted = requests(running.get("/metrics").body()).sum();
                    // what a host did just before it was forgotten is not counted
                    return hosts <= 700 ? counted == all : counted > all - hosts;
                });
                String metrics = running.get("/metrics").body();
                long keys = requests(metrics).count();
                // a key's place is free once the key is forgotten, and the next new one takes it
                assertTrue(hosts <= 700 ? keys == Math.min(hosts, 501) : keys <= 501, keys + " with " + hosts + " hosts");
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
            Map<Boolean, List<Server.Site>> byName = sites.stream()
                    .collect(Collectors.partitioningBy(s -> metrics.contains("\"" + s.host() + "\"")));
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
        return metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{"))
                .mapToInt(l -> (int) Double.parseDouble(l.split(" ")[1]));
    }

    private static int others(String metrics) {
        List<Integer> found = metrics.lines().filter(l -> l.startsWith("tempolimit_requests_total{key=\"_other\""))
                .map(l -> (int) Double.parseDouble(l.split(" ")[1])).toList();
        assertEquals(1, found.size(), metrics);
        return found.get(0);
    }
}
