package io.tempolimit.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static final long SECOND = 1_000_000_000L;

    private static History.Tally requests(long n) {
        History.Tally tally = new History.Tally();
        tally.requests = n;
        tally.learned = 0.5;
        return tally;
    }

    /** One request a second. */
    private static JsonObject after(Slots slots, long seconds) throws IOException {
        History history = new History(slots.count());
        long since = 0;
        for (long s = 1; s <= seconds; s++) {
            if (slots.isOver(s * SECOND)) {
                history.keep(slots.running(), requests(s - since));
                slots.goOn(s * SECOND, List.of(history));
                since = s;
            }
        }
        StringWriter text = new StringWriter();
        History.write(new JsonWriter(text), history, slots, requests(seconds - since), seconds * SECOND);
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }

    private static long sum(JsonObject history) {
        return values(history, "requests").mapToLong(JsonElement::getAsLong).sum();
    }

    private static Stream<JsonElement> values(JsonObject history, String name) {
        JsonArray values = history.getAsJsonArray(name);
        return values.asList().stream();
    }

    /** A run of any length has enough bars to see something, and no more than a page has room for. */
    @Test
    void slotsOfAWholeRunGetWiderAndLoseNothing() throws IOException {
        for (long seconds : new long[] {7, 239, 240, 241, 1_200, 3_600, 7_200, 40_000, 600_000}) {
            JsonObject run = after(Slots.wholeRun(0), seconds);
            assertEquals(seconds, sum(run), "after " + seconds + " s");
            long slots = values(run, "requests").count();
            assertTrue(slots <= 120 && (seconds < 240 || slots >= 20), slots + " slots after " + seconds + " s");
            assertTrue(values(run, "learned").allMatch(rate -> rate.getAsDouble() == 0.5 || rate.getAsDouble() == 0));
        }
        assertEquals(2_000, after(Slots.wholeRun(0), 100).get("slot_ms").getAsInt());
        assertEquals(60_000, after(Slots.wholeRun(0), 7_100).get("slot_ms").getAsInt());
    }

    @Test
    void theLastHourHasFinerSlotsAtFirstAndForgetsWhatIsOlder() throws IOException {
        assertEquals(5_000, after(Slots.lastHour(0), 299).get("slot_ms").getAsInt());
        assertEquals(15_000, after(Slots.lastHour(0), 301).get("slot_ms").getAsInt());
        JsonObject later = after(Slots.lastHour(0), 10_000);
        assertEquals(60_000, later.get("slot_ms").getAsInt());
        assertEquals(60, values(later, "requests").count());
        assertEquals(59 * 60 + 10_000 % 60, sum(later));
    }

    /** On a busy machine slots end late; 200 hosts in cooldown were shown as 233. */
    @Test
    void aSlotThatEndsLateTellsHowLongItReallyWas() throws IOException {
        for (Slots slots : List.of(Slots.wholeRun(0), Slots.lastHour(0))) {
            History history = new History(slots.count());
            long before = 0;
            for (long now = 0; now < 20_000 * SECOND; now += 3 * SECOND) {
                if (slots.isOver(now)) {
                    history.keep(slots.running(), cooldown(now - before));
                    slots.goOn(now, List.of(history));
                    before = now;
                }
            }
            long end = before + SECOND;
            StringWriter text = new StringWriter();
            History.write(new JsonWriter(text), history, slots, cooldown(SECOND), end);
            JsonObject later = JsonParser.parseString(text.toString()).getAsJsonObject();
            List<Long> spans = values(later, "span_ms").map(JsonElement::getAsLong).toList();
            List<Long> cooldowns = values(later, "cooldown_ms").map(JsonElement::getAsLong).toList();
            assertEquals(cooldowns, spans, "one host, always in cooldown");
        }
    }

    private static History.Tally cooldown(long nanos) {
        History.Tally tally = new History.Tally();
        tally.cooldownMillis = nanos / 1_000_000;
        return tally;
    }

    /** A machine that sleeps for hours. */
    @Test
    void aLongGapIsQuiet() throws IOException {
        Slots slots = Slots.lastHour(0);
        History history = new History(slots.count());
        history.keep(0, requests(5));
        slots.goOn(36_000 * SECOND, List.of(history));
        StringWriter text = new StringWriter();
        History.write(new JsonWriter(text), history, slots, requests(1), 36_000 * SECOND);
        JsonObject later = JsonParser.parseString(text.toString()).getAsJsonObject();
        assertEquals(1, sum(later));
        assertEquals(60, values(later, "requests").count());
    }
}
