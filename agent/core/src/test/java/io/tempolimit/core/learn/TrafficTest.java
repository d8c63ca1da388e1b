package io.tempolimit.core.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MINUTE = 1;

    /**
     * Requests that began late in the part of a span which is half over were spread over all of that part: some of them were lost, and
     * the span that had held as many before did not explain the block.
     */
    @Test
    void aSpanHoldsAllThatPassedIfTheyBeganInIt() {
        for (int start = 60; start < 84; start++) {
            Traffic traffic = new Traffic(0);
            for (int i = 0; i < 60; i++) {
                traffic.good((start + i) * SECOND);
                traffic.advance((start + i) * SECOND);
                assertEquals(i + 1, traffic.passedIn(MINUTE, (start + i) * SECOND), 0.001f, "from " + start + " s on, for " + i + " s");
            }
        }
    }

    /** The model counts each request in its part of each span, of which a span has six, the oldest of them in part. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void eachSpanHoldsWhatAPlainCountHolds(long seed) {
        Random random = new Random(seed);
        long begin = random.nextLong();
        long now = begin;
        Traffic traffic = new Traffic(begin);
        List<Long> all = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            now += random.nextInt(20) == 0 ? (long) (random.nextDouble() * 500 * SECOND) : random.nextInt((int) SECOND / 3);
            traffic.good(now);
            all.add(now);
            for (int i = 0; i < Traffic.SPANS.length; i++) {
                float span = model(all, begin, Traffic.SPANS[i] / 5, now);
                float expected = now - all.get(0) <= Traffic.SPANS[i] * SECOND ? all.size() : span;
                assertEquals(expected, traffic.passedIn(i, now), 0.01f, "step " + step + ", span " + i);
            }
        }
    }

    private static float model(List<Long> all, long begin, long seconds, long now) {
        long part = seconds * SECOND;
        long last = (now - begin) / part;
        float into = (float) ((now - begin) % part) / part;
        float held = 0;
        for (long time : all) {
            long age = last - (time - begin) / part;
            held += age < 5 ? 1 : age == 5 ? 1 - into : 0;
        }
        return held;
    }

    @Test
    void whatIsReadBackHoldsAsMuchAndWhatPassesThenComesOnTop() {
        Traffic before = new Traffic(0);
        long now = 0;
        for (int i = 0; i < 700; i++) {
            before.good(now += SECOND / 4 * (i % 9));
        }
        Numbers saved = Numbers.writing();
        before.each(saved, 0, true, now);
        Traffic after = new Traffic(now);
        after.each(Numbers.reading(saved.toString()), 0, true, now);
        for (int more = 0; more < 10; more++) {
            for (int i = 0; i < Traffic.SPANS.length; i++) {
                assertEquals((int) before.passedIn(i, now) + more, after.passedIn(i, now), 0.001f, "span " + i);
            }
            after.good(now);
        }
    }
}
