package io.tempolimit.it.agent;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** {@code io.tempolimit.it.programs.Main} in a JVM of its own: sends requests when told to. */
final class Scraper implements AutoCloseable {
    final Fork fork;
    private int calls;
    private int asked;

    private Scraper(Fork fork) {
        this.fork = fork;
        ask("open client");
    }

    /** @param adapter the client: {@code UrlConnection}, {@code Jdk}, {@code OkHttp} ... */
    static Scraper start(Fork.Builder builder, String adapter) {
        return new Scraper(builder.main("io.tempolimit.it.programs.Main", "io.tempolimit.it.programs." + adapter + "Adapter").start());
    }

    /** Opens the client once more, with these options of the adapter. */
    Scraper with(String options) {
        ask("open client " + options);
        return this;
    }

    /** Sends a GET; gives {@code 200}, or the class of the exception. */
    String get(String url) {
        return join(begin(url), Jvm.LONG);
    }

    /** Sends a GET as an asynchronous call; gives the same. */
    String getAsync(String url) {
        return join(beginAsync(url), Jvm.LONG);
    }

    /** Begins a GET on a thread of its own; gives its name. */
    String begin(String url) {
        return begin("sync", url);
    }

    /** Begins a GET as an asynchronous call; gives its name. */
    String beginAsync(String url) {
        return begin("async", url);
    }

    private String begin(String mode, String url) {
        String call = "call" + calls++;
        ask("send " + call + " client " + mode + " GET " + url);
        return call;
    }

    /** Begins so many GETs, on so many threads; gives their name. */
    String beginMany(int count, int threads, String url) {
        String calls = "many" + this.calls++ + "-";
        ask("many " + calls + " " + count + " " + threads + " client sync " + url);
        return calls;
    }

    /** Waits for the end of so many that were begun; gives how they ended: {@code ok=N failed=N pending=N}, and the last failure. */
    String joinMany(String calls, int count, Duration limit) {
        return ask("joined " + calls + " " + count + " " + limit.toMillis(), limit.plus(Jvm.LONG));
    }

    /** Waits until the thread of a call that was begun waits. */
    void parked(String call) {
        if (!ask("parked " + call + " 30000").equals("true")) {
            throw fork.trouble("does not wait in " + call);
        }
    }

    /** Waits for the end of a call. */
    String join(String call, Duration limit) {
        String answer = ask("join " + call + " " + limit.toMillis());
        if (answer.equals("pending")) {
            throw fork.trouble("has not finished " + call + " within " + limit);
        }
        String[] words = answer.split(" ");
        String what = words[1].substring(words[1].indexOf('=') + 1);
        return answer.startsWith("ok") ? what : what.split(",")[0];
    }

    /** What the agent says of a key. */
    JsonObject statistics(String key) {
        return JsonParser.parseString(ask("statistics " + key)).getAsJsonObject();
    }

    /** What the agent says of all. */
    JsonObject statistics() {
        return JsonParser.parseString(ask("statistics")).getAsJsonObject();
    }

    /** Ends it in order, and gives its exit code. */
    int end() {
        fork.tell("end");
        return fork.exit(Jvm.LONG);
    }

    private String ask(String command) {
        return ask(command, Jvm.LONG);
    }

    private String ask(String command, Duration limit) {
        String answer = "=" + ++asked + " ";
        fork.tell(asked + " " + command);
        String line = fork.line(limit);
        while (!line.startsWith(answer)) { // something else that the program, or its client, printed
            line = fork.line(limit);
        }
        if (line.startsWith(answer + "trouble")) {
            throw fork.trouble("answered '" + command + "' with " + URLDecoder.decode(line, StandardCharsets.UTF_8));
        }
        return line.substring(answer.length());
    }

    @Override
    public void close() {
        fork.close();
    }
}
