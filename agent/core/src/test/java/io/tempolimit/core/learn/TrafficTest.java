package io.tempolimit.core.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

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
}
