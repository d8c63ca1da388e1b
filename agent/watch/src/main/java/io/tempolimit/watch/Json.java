package io.tempolimit.watch;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;

/** How this package writes JSON. Stateless; loaded, with gson and java.time, by the first JSON that is asked for. */
final class Json {
    /** Always three digits of a second, where {@code Instant.toString} leaves out zeros. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Json() {
    }

    /** ISO 8601 in UTC, e.g. {@code 2026-11-27T22:20:01.500Z}. */
    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }

    /** One event, one line. */
    static String line(Event e) throws IOException {
        StringWriter text = new StringWriter(256);
        JsonWriter w = new JsonWriter(text);
        w.setSerializeNulls(false);
        w.beginObject();
        w.name("time").value(time(e.time));
        w.name("event").value(e.name);
        w.name("key").value(e.key);
        w.name("host").value(e.host);
        for (int i = 0; i < e.fields.length; i += 2) {
            w.name((String) e.fields[i]);
            value(w, e.fields[i + 1]);
        }
        if (e.dryRun) {
            w.name("dry_run").value(true);
        }
        w.endObject();
        return text.append('\n').toString();
    }

    private static void value(JsonWriter w, Object value) throws IOException {
        if (value instanceof Number) {
            w.value((Number) value);
        } else if (value instanceof Boolean) {
            w.value((Boolean) value);
        } else if (value instanceof List) {
            w.beginArray();
            for (Object one : (List<?>) value) {
                w.value(String.valueOf(one));
            }
            w.endArray();
        } else {
            w.value((String) value); // none at all if it is null
        }
    }
}
