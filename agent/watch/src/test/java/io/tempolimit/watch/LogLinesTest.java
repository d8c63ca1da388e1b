package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.core.Body;
import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log says of hosts. */
class LogLinesTest {
    private final Scene scene = new Scene();

    @Test
    void theFirstDelayOfAHostIsOneLine() {
        scene.start(scene.options());
        scene.requests(20, "shop.example", 200);
        assertEquals(List.of("INFO shop.example: held to 3 requests/s (burst 5), this one waits 0.3 s; set rate= or "
                + "domain.shop.example.rate= "
                + "to change that, exclude=shop.example to leave it alone"), scene.lines());
    }

    /** It said "this one waits &lt; 1 ms". */
    @Test
    void aWaitBelow10MillisecondsIsNoHold() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        scene.watch.delayed(key, 9_999_999, Rejection.RATE_LIMIT_EXCEEDED);
        assertEquals(List.of(), scene.lines());
        scene.watch.delayed(key, 10_000_000, Rejection.RATE_LIMIT_EXCEEDED);
        assertEquals(1, scene.lines().size());
    }

    /** {@code on-limit=reject} said nothing. */
    @Test
    void theFirstRejectionOfAHostIsOneLine() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        scene.watch.rejected(key, null, Rejection.HOST_COOLING_DOWN);
        scene.watch.rejected(key, null, Rejection.RATE_LIMIT_EXCEEDED);
        scene.watch.rejected(key, null, Rejection.RATE_LIMIT_EXCEEDED);
        assertEquals(List.of("INFO shop.example: held to 3 requests/s (burst 5), this one is rejected; set rate= or "
                + "domain.shop.example.rate= to change that, exclude=shop.example to leave it alone"), scene.lines());
    }

    @Test
    void twentyHostsAndThenALineThatSaysSo() {
        scene.start(scene.options());
        for (int i = 0; i < 50; i++) {
            for (int n = 0; n < 7; n++) {
                scene.arrive("h" + i + ".example");
            }
        }
        assertEquals(21, scene.lines().size());
        assertEquals("INFO More hosts are held, and get no line here; the report at the end, JMX and events= name them",
                scene.lines().get(20));
    }

    /** Another program was blocked, and the log spoke of a redirect: the request was told of before its host's cooldown. */
    @Test
    void aWaitForTheEndOfACooldownIsNotToldAsARedirects() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        FirstDelays delays = new FirstDelays(scene.log());
        Key key = scene.limiter.key("shop.example");
        key.pause(60_000_000_000L);
        int lines = scene.lines().size();
        delays.delayed(key, 60_000_000_000L, Rejection.HOST_COOLING_DOWN, false);
        assertEquals(lines, scene.lines().size());
        key.resume();
        lines = scene.lines().size();
        delays.delayed(key, 5_000_000_000L, Rejection.HOST_COOLING_DOWN, false);
        assertEquals(lines + 1, scene.lines().size());
    }

    /** It named the rate, whatever held the request. */
    @Test
    void theFirstDelaysLineNamesTheSettingThatHolds() {
        Object[][] lines = {{Rejection.WINDOW_EXCEEDED, 8_000_000_000L,
                "held by its window, this one waits 8 s; set window= or domain.h0.example.window= to change that"},
            {Rejection.CONCURRENCY_LIMIT_EXCEEDED, Listener.UNKNOWN,
                "held by the requests in flight, this one waits until another one is over; set concurrency= or "
                        + "domain.h1.example.concurrency= to change that"},
            {Rejection.HOST_COOLING_DOWN, 22_000_000_000L,
                "held by a redirect that asks to be followed later, this one waits 22 s; set retry-after.max= or "
                        + "domain.h2.example.retry-after.max= to change that"}};
        scene.start(scene.options());
        for (int i = 0; i < lines.length; i++) {
            scene.request("h" + i + ".example", 200);
            scene.watch.delayed(scene.limiter.key("h" + i + ".example"), (Long) lines[i][1], (Rejection) lines[i][0]);
            assertEquals("INFO h" + i + ".example: " + lines[i][2] + ", exclude=h" + i + ".example to leave it alone",
                    scene.lines().get(i));
        }
    }

    /** It advised to set rate=, which does not raise what was learned. */
    @Test
    void aLearnedLimitIsNotChangedByTheRate() {
        scene.learn = true;
        scene.start(scene.options());
        scene.request("shop.example", 200);
        scene.request("shop.example", 429);
        scene.now += 60_000_000_000L;
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        assertTrue(key.stats().learnedRate > 0, "nothing was learned");
        scene.watch.delayed(key, 5_000_000_000L, Rejection.RATE_LIMIT_EXCEEDED);
        List<String> lines = scene.lines();
        assertTrue(lines.get(lines.size() - 1).endsWith("this one waits 5 s; set learn=false or domain.shop.example.learn=false "
                + "to change that, exclude=shop.example to leave it alone"), lines::toString);
    }

    /** A newcomer tried localhost, and nobody told that it is left out. */
    @Test
    void theFirstRequestThatIsLeftOutIsOneLine() {
        scene.leftOut = "exclude has private; exclude=-private paces it";
        scene.start(scene.options());
        scene.request("127.0.0.1", 200);
        scene.request("127.0.0.1", 200);
        scene.watch.close();
        assertEquals(List.of("INFO 127.0.0.1 is not paced: exclude has private; exclude=-private paces it"), scene.lines());
        JsonObject all = JsonParser.parseString(StatsJson.of(scene.limiter, scene.watch)).getAsJsonObject();
        assertEquals(2, all.get("excluded_requests").getAsInt());
        assertEquals(0, all.get("keys").getAsInt());
    }

    /** A first 503 with Retry-After was told as if a probe had got it, and a full window as a block. */
    @Test
    void aRestThatIsNoBlocksIsToldAsWhatItIs() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        scene.watch.cooldownStarted(key, 20_000_000_000L, "server_overload", 0, false);
        scene.watch.cooldownEnded(key);
        scene.watch.cooldownStarted(key, 20_000_000_000L, "window_exceeded", 1, true);
        assertEquals("INFO shop.example: held for 20 s (a request got a 5xx)", scene.lines().get(0));
        scene.watch.cooldownStarted(scene.limiter.key("shop.example"), 0, "timeout", 0, false);
        assertEquals("INFO shop.example: held until a request has shown that it is over (once more: the probe got no answer "
                + "in time)", scene.lines().get(3));
        assertEquals("WARN shop.example: in cooldown for 20 s (its requests were rejected again and again); requests are "
                + "rejected until then", scene.lines().get(2));
    }

    /** A connection that failed in one of four programs was a warning in the others: "in cooldown, another program was blocked". */
    @Test
    void aShortPauseOfAnotherProgramIsNoCooldown() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        scene.watch.cooldownStarted(key, 1_500_000_000L, Listener.FLEET, 0, false);
        scene.watch.cooldownEnded(key);
        scene.watch.cooldownStarted(key, 60_000_000_000L, Listener.FLEET, 1, false);
        assertEquals(List.of("INFO shop.example: held for 1.5 s (another program that shares this limit pauses)",
                "WARN shop.example: in cooldown for 1 min (another program that shares this limit was blocked)"),
                scene.lines().stream().filter(l -> l.contains("another program")).toList());
    }

    /** Five requests of a burst were refused, and the same line stood there five times. */
    @Test
    void aRestThatEndsAtTheSameTimeIsToldOnce() {
        scene.start(scene.options());
        scene.request("shop.example", 200);
        Key key = scene.limiter.key("shop.example");
        for (int i = 0; i < 5; i++) {
            scene.watch.cooldownStarted(key, 6_000_000_000L, "429_rate_limited", 0, false);
        }
        scene.watch.cooldownStarted(key, 60_000_000_000L, "429_rate_limited", 0, false);
        scene.watch.cooldownStarted(key, 60_000_000_000L, "429_rate_limited", 1, false);
        assertEquals(List.of("INFO shop.example: held for 6 s (blocked: 429_rate_limited)",
                "INFO shop.example: held for 1 min (blocked: 429_rate_limited)",
                "WARN shop.example: in cooldown for 1 min (blocked: 429_rate_limited)"), scene.lines());
    }

    @Test
    void hostileHostsStayOnTheirLine() {
        scene.start(scene.options());
        scene.requests(7, "a\n2026-01-01 00:00:00 [tempolimit] WARN fake\u202e", 200);
        assertEquals(1, scene.lines().size(), scene.errText());
    }

    /** Bodies in zstd were passed over, and nobody heard of it. */
    @Test
    void anEncodingThatIsNotReadIsToldOnce() {
        scene.start(scene.options());
        byte[] zstd = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 4, 0, 1, 2, 3, 4, 5};
        for (String host : new String[] {"a.example", "a.example", "b.example"}) {
            read(host, "zstd", zstd);
        }
        assertEquals(List.of("INFO a.example: its answers come in zstd, which Tempolimit does not read. Blocks are told by status and "
                + "headers there. Accept-Encoding: gzip, deflate, br changes that"), scene.lines());
    }

    @Test
    void nothingIsSaidOfBodiesThatTheClientHasDecoded() {
        scene.start(scene.options());
        read("a.example", "zstd", "<p>A page of a shop that sells chairs, and tables.".getBytes(StandardCharsets.US_ASCII));
        read("a.example", "gzip", new byte[] {0x1f, (byte) 0x8b, 9, 9, 9});
        assertEquals(List.of(), scene.lines());
    }

    private void read(String host, String encoding, byte[] bytes) {
        Body body = scene.arrive(host).answered(new Head() {
            @Override
            public int status() {
                return 200;
            }

            @Override
            public void headers(Headers to) {
                to.add("Content-Type", "text/html");
                to.add("Content-Encoding", encoding);
            }
        });
        body.add(bytes, 0, bytes.length);
        body.end();
    }
}
