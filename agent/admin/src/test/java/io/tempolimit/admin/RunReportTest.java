package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.watch.Options;
import io.tempolimit.watch.Watch;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RunReportTest {
    private static String page(int hosts) throws Exception {
        Watch watch = new Watch(new Options(System.err, System.out, "1.2.3").log("off", null, 0));
        Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(),
                Settings.load(new Sources("rate=1000,max-keys=20000,admin.port=1,admin.token=hunter2",
                Map.of(), Map.of())), watch);
        watch.limiter(limiter);
        RunReport report = new RunReport(limiter, watch);
        for (int i = 0; i < hosts; i++) {
            String host = "www.a-shop-with-a-name-" + i + ".example";
            for (int n = 0; n < 3; n++) {
                limiter.arrive(new TestTarget(host, "/</script><b>?secret=1")).answered(n == 0 && i % 3 == 0 ? 403 : 200);
            }
        }
        return report.html();
    }

    private static JsonObject data(String html) {
        String begin = "id=\"data\">";
        int from = html.indexOf(begin) + begin.length();
        return JsonParser.parseString(html.substring(from, html.indexOf("</script>", from))).getAsJsonObject();
    }

    @Test
    void fiveThousandHostsFitIntoAMegabyte() throws Exception {
        String html = page(5_000);
        assertTrue(html.getBytes(StandardCharsets.UTF_8).length <= 1_000_000, html.length() + " characters");
        JsonObject data = data(html);
        assertEquals(5_000, data.getAsJsonArray("rows").size());
        assertEquals(0, data.get("more").getAsInt());
        assertEquals(50, data.getAsJsonArray("lines").size());
        assertEquals(15_000, data.getAsJsonArray("sum").get(10).getAsInt(), "requests");
        assertEquals(100, data.getAsJsonArray("verdicts").size());
        assertTrue(data.getAsJsonArray("rows").get(0).getAsJsonArray().get(17).getAsJsonObject().has("403_forbidden"), "the worst first");
    }

    /** What has no room is summed. */
    @Test
    void moreHostsThanAPageHoldsAreSummed() throws Exception {
        String html = page(15_000);
        assertTrue(html.getBytes(StandardCharsets.UTF_8).length <= 1_000_000, html.length() + " characters");
        JsonObject data = data(html);
        int rows = data.getAsJsonArray("rows").size();
        assertEquals(15_000 - rows, data.get("more").getAsInt());
        assertEquals((15_000 - rows) * 3, data.getAsJsonArray("others").get(10).getAsInt());
        assertEquals(45_000, data.getAsJsonArray("sum").get(10).getAsInt());
    }

    @Test
    void itLoadsNothingAndHasNoSecrets() throws Exception {
        String html = page(3);
        assertFalse(html.contains("hunter2"));
        assertFalse(html.contains("secret=1"));
        assertFalse(html.contains("/* common") || html.contains("{policy}"), "a part is missing");
        assertFalse(Pattern.compile("(src|href)=\"(?!data:)|@import|url\\(|fetch\\(").matcher(html).find());
        assertTrue(html.contains("content=\"default-src 'none'; script-src 'sha256-"));
        assertEquals("www.a-shop-with-a-name-0.example", data(html).getAsJsonArray("rows").get(0).getAsJsonArray().get(0).getAsString());
    }
}
