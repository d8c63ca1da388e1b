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
        assertFalse(noise.over(2, 2), "eight may be chance");
        blocks(1);
        assertTrue(noise.over(2, 2));
        assertFalse(noise.judge(2, 2), "they come from speed");
    }

    /** Where each fourth request is blocked, nine blocks are no wonder. */
    @Test
    void anExperimentGoesOnWhereItsShareExplainsTheBlocks() {
        begin(3);
        blocks(9);
        assertFalse(noise.over(20, 2));
    }

    /** At a request in five seconds the 180 requests of an experiment took a quarter of an hour, in which the site's limit had risen. */
    @Test
    void anExperimentAtALowRateTakesTenMinutes() {
        begin(50);
        assertFalse(noise.over(119, 0.2f));
        assertTrue(noise.over(120, 0.2f));
        assertFalse(noise.over(49, 0.01f), "fewer than fifty tell nothing");
        assertTrue(noise.over(50, 0.01f));
        assertFalse(noise.over(170, 2), "at a usual rate it goes on until enough would have been blocked");
    }
}
