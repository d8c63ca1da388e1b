package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report at the end, and the statistics in each form. */
class StatisticsTest {
    private final Scene scene = new Scene();

    @AfterEach
    void unregister() throws Exception {
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        if (server.isRegistered(name)) {
            server.unregisterMBean(name);
        }
    }

    @Test
    void statistics() {
        scene.start(scene.options());
        scene.watch.clientWoven("OkHttp", "4.12.0");
        scene.watch.clientWoven("HttpURLConnection", null);
        scene.requests(8, "shop.example", 200);
        scene.requests(3, "shop.example", 429);
        scene.arrive("shop.example");
        scene.arrive("other.example");
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(2, all.get("keys").getAsInt());
        assertEquals("{\"cooling_down\":1,\"open\":1}", all.get("keys_per_state").toString());
        assertEquals("[{\"name\":\"OkHttp\",\"version\":\"4.12.0\"},{\"name\":\"HttpURLConnection\",\"version\":null}]",
                all.get("woven_clients").toString());
        assertEquals("0.1-test", all.get("version").getAsString());
        assertTrue(all.get("enabled").getAsBoolean());
        assertFalse(all.get("dry_run").getAsBoolean());
        JsonObject one = JsonParser.parseString(StatsJson.of(scene.limiter.key("shop.example"))).getAsJsonObject();
        assertEquals(12, one.get("total_requests").getAsInt());
        assertEquals(6, one.get("delayed_requests").getAsInt());
        assertEquals(0.5, one.get("delay_rate").getAsDouble());
        assertEquals(25.0, one.get("block_rate_percent").getAsDouble());
        assertEquals("{\"429_rate_limited\":3}", one.get("blocks_by_type").toString());
        assertEquals(1, one.get("waiting_requests").getAsInt());
        assertEquals(45_000, one.get("cooldown_remaining_ms").getAsLong());
        assertTrue(one.get("last_request_time").getAsString().endsWith("Z"));
    }

    @Test
    void failuresAreInTheStatistics() {
        scene.start(scene.options());
        scene.arrive("shop.example").failed(new java.net.ConnectException("refused"));
        scene.request("shop.example", 502);
        scene.request("shop.example", 502);
        JsonObject shop = JsonParser.parseString(StatsJson.of(scene.limiter.key("shop.example"))).getAsJsonObject();
        assertEquals(1, shop.get("failed_requests").getAsInt());
        assertEquals(2, shop.get("overloads").getAsInt());
        assertEquals("{\"502\":2}", shop.get("answers").toString());
        scene.watch.close();
        assertTrue(scene.errText().contains("1 failed; 2 got 5xx."), scene.errText());
    }

    @Test
    void aReportAtTheEndIfThereIsAnything() {
        scene.start(scene.options().log("off", null, 0));
        scene.watch.close();
        assertEquals("", scene.errText());

        scene.start(scene.options().log("off", null, 0));
        scene.watch.report(false, null, null);
        scene.requests(20, "shop.example", 200);
        scene.watch.close();
        assertEquals("", scene.errText());

        scene.start(scene.options().log("off", null, 0));
        scene.requests(20, "shop.example", 200);
        scene.watch.close();
        scene.watch.close();
        assertEquals(1, scene.errLines().stream().filter(l ->
                l.startsWith("Tempolimit: 20 requests to 1 host; 15 waited 5 s")).count(), scene.errText());
    }

    @Test
    void theReportAsAFileIsWholeAndItsOwnersAlone(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("r");
        Files.writeString(file, "of the run before, and longer than what comes now".repeat(100));
        scene.start(scene.options().log("off", null, 0));
        scene.watch.report(true, file.toString(), null);
        scene.requests(7, "shop.example", 200);
        scene.watch.close();
        assertTrue(scene.errText().contains("Tempolimit: 7 requests to 1 host"), scene.errText());
        String time = "\"last_request_time\":\"[^\"]*\""; // told by a clock that has gone on since
        assertEquals(StatsJson.of(scene.limiter, scene.watch).replaceAll(time, "") + "\n", Files.readString(file).replaceAll(time, ""));
        assertEquals("rw-------", java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (var files = Files.list(dir)) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void aReportThatCannotBeWrittenIsOneWarning(@TempDir Path dir) {
        for (String where : List.of(dir.resolve("missing/r.json").toString(), dir.toString(), "/dev/full")) {
            Scene s = new Scene();
            s.start(s.options());
            s.watch.report(true, where, null);
            s.request("shop.example", 200);
            s.watch.close();
            assertEquals(1, s.errLines().size(), s.errText());
            assertTrue(s.errText().contains("WARN report cannot be written to " + where + ": "), s.errText());
        }
    }

    @Test
    void jmx() throws Exception {
        scene.start(scene.options());
        scene.requests(7, "shop.example", 200);
        scene.watch.registerJmx();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        assertEquals(List.of("shop.example"), List.of((String[]) server.getAttribute(name, "Keys")));
        assertTrue(((String) server.getAttribute(name, "StatsJson")).startsWith("{\"version\":\"0.1-test\""));
        String one = (String) server.invoke(name, "stats", new Object[] {"Shop.Example"}, new String[] {"java.lang.String"});
        assertEquals("shop.example", JsonParser.parseString(one).getAsJsonObject().get("domain").getAsString());
        assertThrowsAny(() -> server.invoke(name, "stats", new Object[] {"none"}, new String[] {"java.lang.String"}));
        assertThrowsAny(() -> server.invoke(name, "stats", new Object[] {null}, new String[] {"java.lang.String"}));
        server.setAttribute(name, new Attribute("Enabled", false));
        assertFalse(scene.limiter.enabled());
        assertEquals(false, server.getAttribute(name, "Enabled"));
        server.setAttribute(name, new Attribute("DryRun", true));
        assertTrue(scene.limiter.dryRun());
        scene.watch.registerJmx();
        assertEquals(4, scene.lines().size(), scene.errText());
        assertTrue(scene.lines().get(3).startsWith("WARN JMX: io.tempolimit:type=Limiter is there already"), scene.errText());
    }

    private static void assertThrowsAny(java.util.concurrent.Callable<?> call) {
        Object got = null;
        try {
            got = call.call();
        } catch (Exception e) {
            assertTrue(e.getCause() instanceof IllegalArgumentException, e.toString());
        }
        assertNull(got);
    }
}
