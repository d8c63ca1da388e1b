package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.core.Permit;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ControlTest {
    private static final long SECOND = 1_000_000_000L;

    private final Scene scene = new Scene().start(new Scene().options());
    private final Control control = new Control(scene.limiter, scene.watch, "JMX");

    private List<String> lines(Scene of) {
        return of.errLines().stream().map(l -> l.replaceFirst("^.{19} \\[tempolimit\\] ", "")).toList();
    }

    private JsonObject stats() {
        return JsonParser.parseString(control.stats("shop.example")).getAsJsonObject();
    }

    @Test
    void pauseAndResume() {
        Scene s = new Scene();
        s.start(s.options());
        Control c = new Control(s.limiter, s.watch, "the status page");
        s.request("shop.example", 200);
        c.pause("Shop.Example.", 60);
        Permit waiting = s.arrive("shop.example");
        assertTrue(waiting.waiting());
        JsonObject paused = JsonParser.parseString(c.stats("shop.example")).getAsJsonObject();
        assertEquals("cooling_down", paused.get("state").getAsString());
        assertEquals("operator", paused.get("cooldown_reason").getAsString());
        assertEquals(60_000, paused.get("cooldown_remaining_ms").getAsLong());
        c.resume("shop.example");
        s.now += SECOND;
        assertTrue(waiting.poll() && waiting.granted());
        assertEquals(List.of("WARN shop.example: in cooldown for 1 min (an operator has paused it)",
                "INFO shop.example: paused, by the status page",
                "INFO shop.example: is open again after", "INFO shop.example: goes on, by the status page"),
                lines(s).stream().map(l -> l.replaceFirst("after .*", "after")).toList());
        for (long seconds : new long[] {0, -1, 315_360_001, Long.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> c.pause("shop.example", seconds));
        }
        c.pause("shop.example", 315_360_000);
        assertEquals(315_360_000_000L, JsonParser.parseString(c.stats("shop.example")).getAsJsonObject()
                .get("cooldown_remaining_ms").getAsLong());
    }

    @Test
    void setRateAndReset() {
        scene.request("shop.example", 200);
        control.setRate("shop.example", 0.5, 2);
        assertEquals(0.5, stats().get("rate").getAsDouble());
        assertEquals(2, stats().get("burst").getAsInt());
        for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> control.setRate("shop.example", rate, 2));
        }
        assertThrows(IllegalArgumentException.class, () -> control.setRate("shop.example", 1, 0));
        assertEquals(0.5, stats().get("rate").getAsDouble());
        control.reset("shop.example");
        assertEquals(3, stats().get("rate").getAsDouble());
        assertEquals(5, stats().get("burst").getAsInt());
    }

    @Test
    void resetStats() {
        scene.requests(7, "shop.example", 200);
        assertEquals(7, stats().get("total_requests").getAsInt());
        control.resetStats("shop.example");
        assertEquals(0, stats().get("total_requests").getAsInt());
        assertEquals(0, stats().get("delayed_requests").getAsInt());
        assertFalse(stats().has("cooldown_reason"));
    }

    @Test
    void whatHasNoKeyIsRefused() {
        for (Runnable action : Arrays.<Runnable>asList(() -> control.pause("none", 1), () -> control.resume("none"),
                () -> control.reset("none"),
                () -> control.resetStats(null), () -> control.setRate("", 1, 1), () -> control.stats("none"))) {
            assertTrue(assertThrows(IllegalArgumentException.class, action::run).getMessage().startsWith("There is no key"));
        }
    }

    @Test
    void consolesShowWhatTheParametersMean() throws Exception {
        scene.watch.registerJmx();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        try {
            StringBuilder all = new StringBuilder();
            for (MBeanOperationInfo operation : server.getMBeanInfo(name).getOperations()) {
                all.append(operation.getName());
                for (MBeanParameterInfo parameter : operation.getSignature()) {
                    all.append(' ').append(parameter.getName());
                }
                all.append('\n');
            }
            assertEquals(List.of("pause key seconds", "reset key", "resetStats key", "resume key", "setRate key rate burst", "stats key"),
                    all.toString().lines().sorted().toList());
        } finally {
            server.unregisterMBean(name);
        }
    }
}
