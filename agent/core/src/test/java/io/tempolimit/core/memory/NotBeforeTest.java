package io.tempolimit.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class NotBeforeTest {
    /** Against a map, through the clock's overflow. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 50_000, Long.MIN_VALUE + 1})
    void itKnowsWhatAMapWouldKnow(long start) {
        Random random = new Random(start);
        NotBefore times = new NotBefore(42);
        Map<String, Long> map = new HashMap<>();
        for (long now = start, i = 0; i < 200_000; now += random.nextInt(2), i++) {
            String name = "host" + random.nextInt(5000) + ".example";
            long has = map.getOrDefault(name, now);
            assertEquals(has - now > 0 ? has : now, times.get(name, now));
            if (random.nextBoolean()) {
                long time = now + random.nextInt(3000) - 500;
                times.put(name, time, now);
                map.put(name, time - has > 0 ? time : has);
            }
        }
    }

    @Test
    void itTakesFewBytesANameAndNoneForWhatIsOver() {
        NotBefore times = new NotBefore(42);
        for (int i = 0; i < 1_000_000; i++) {
            times.put("host" + i, 100, 0);
        }
        double bytes = times.bytes() / 1e6;
        assertTrue(bytes >= 16 && bytes <= 64, bytes + " bytes a name");
        assertEquals(100, times.get("host999999", 0));
        for (int i = 0; i < 10_000_000; i++) {
            times.put("other" + i, 101 + i / 1000, 100 + i / 1000); // a thousand at a time
        }
        assertTrue(times.bytes() < 1_000_000, times.bytes() + " bytes for a thousand names");
    }
}
