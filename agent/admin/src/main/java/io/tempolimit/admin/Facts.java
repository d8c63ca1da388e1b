package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.runtime.ThisProcess;
import io.tempolimit.watch.LastVerdicts;
import io.tempolimit.watch.StatsJson;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.util.Collection;

/** What the status page and the report say of the program, and of blocks, as fields of the object that is being written. Stateless. */
final class Facts {
    private Facts() {
    }

    static void writeProgram(JsonWriter w, Settings settings, Limiter limiter, Watch watch) throws IOException {
        w.name("version").value(watch.version());
        w.name("java").value(System.getProperty("java.version"));
        w.name("program").value(program());
        w.name("host").value(ThisProcess.host());
        w.name("pid").value(ThisProcess.pid());
        w.name("started").value(watch.startedMillis());
        w.name("enabled").value(limiter.enabled());
        w.name("dry_run").value(limiter.dryRun());
        w.name("max_keys").value(settings.maxKeys());
        w.name("evictions").value(limiter.evictions());
        StatsJson.writeRedis(w, limiter.fleet());
        strings(w.name("clients"), watch.woven());
        strings(w.name("not_paced"), watch.unpaced().keySet());
        w.name("settings").beginArray();
        for (Setting s : settings.describe()) {
            w.beginArray().value(s.key()).value(s.value()).value(s.source()).endArray();
        }
        w.endArray();
    }

    private static void strings(JsonWriter w, Collection<String> all) throws IOException {
        w.beginArray();
        for (String s : all) {
            w.value(s);
        }
        w.endArray();
    }

    /** The main class or the jar's file name, and nothing of the arguments, which may be secrets. */
    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        String first = end < 0 ? command : command.substring(0, end);
        return first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
    }

    /**
     * Writes {@code "verdicts"}: the last blocks, as far as they are kept.
     *
     * @param from the number of the first
     * @return the number of the next one
     */
    static long writeVerdicts(JsonWriter w, Watch watch, long from) throws IOException {
        long next = from;
        w.name("verdicts").beginArray();
        for (LastVerdicts.Seen seen : watch.verdicts().from(from)) {
            next = seen.number + 1;
            write(w, seen);
        }
        w.endArray();
        return next;
    }

    private static void write(JsonWriter w, LastVerdicts.Seen seen) throws IOException {
        w.beginObject();
        w.name("time").value(seen.time);
        w.name("key").value(seen.key);
        w.name("url").value(seen.url);
        w.name("type").value(seen.finding.verdict().type());
        w.name("counts").value(seen.counts);
        w.name("consecutive").value(seen.consecutive);
        w.name("status").value(seen.finding.status());
        w.name("vendor").value(seen.finding.vendor());
        w.name("rule").value(seen.finding.rule());
        w.name("evidence").value(seen.finding.evidence());
        w.endObject();
    }
}
