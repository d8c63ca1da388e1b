package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.WindowVectors.Vector;
import io.tempolimit.core.bucket.Window;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limiter's own window decides as the vectors say; {@link SharedStoreContract} has the shared stores decide by the same. */
class WindowVectorsTest {
    private static final int SEEDS = 500;

    private static List<Long> departures(Vector vector) {
        List<Window> windows = new ArrayList<>();
        vector.windows.forEach(limit -> windows.add(new Window(limit)));
        List<Long> departures = new ArrayList<>();
        for (long arrival : vector.arrivals) {
            long time = arrival;
            for (Window window : windows) {
                time = window.earliest(time);
            }
            for (Window window : windows) {
                window.take(time);
            }
            departures.add(time);
        }
        return departures;
    }

    @Test
    void theRows() throws Exception {
        for (Vector vector : WindowVectors.rows()) {
            List<Long> departures = departures(vector);
            for (int i = 0; i < departures.size(); i++) {
                long late = departures.get(i) - vector.departures.get(i);
                assertTrue(late >= 0 && late <= vector.late(), vector.row + ": request " + (i + 1) + " is late by " + late + " ns");
            }
        }
    }

    @Test
    void randomOnes() {
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Vector vector : WindowVectors.random(seed, 20, 40)) {
                assertEquals(vector.departures, departures(vector), "seed " + seed + ": " + vector.row);
            }
        }
    }
}
