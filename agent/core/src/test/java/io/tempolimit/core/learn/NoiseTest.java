package io.tempolimit.core.learn;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NoiseTest {
    private final Noise noise = new Noise();

    private void begin(int pagesBetween) {
        for (int block = 0; block < 3; block++) {
            noise.add(true, false, false, pagesBetween);
            for (int i = 0; i < pagesBetween; i++) {
                noise.calm();
            }
        }
        noise.begin(2, 2);
    }

    private void blocks(int n) {
        for (int i = 0; i < n; i++) {
            noise.add(true, true, false, 1);
        }
    }

    /** A limit that fell was met by 33 blocks in a row before the experiment ended, whatever share it had been begun for. */
    @Test
    void anExperimentThatMeetsFarMoreBlocksThanItsShareExplainsEndsAtOnce() {
        begin(50);
        blocks(8);
        assertFalse(noise.over(2), "eight may be chance");
        blocks(1);
        assertTrue(noise.over(2));
        assertFalse(noise.judge(2), "they come from speed");
    }

    /** Where each fourth request is blocked, nine blocks are no wonder. */
    @Test
    void anExperimentGoesOnWhereItsShareExplainsTheBlocks() {
        begin(3);
        blocks(9);
        assertFalse(noise.over(20));
    }
}
