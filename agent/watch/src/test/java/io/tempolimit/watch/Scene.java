package io.tempolimit.watch;

import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.detect.Detector;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A limiter whose clock a test turns, with a watch that writes into memory. */
final class Scene {
    private final Detector detector = new Detector(List.of());
    final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    final PrintStream err = new PrintStream(errBytes, true, StandardCharsets.UTF_8);
    final PrintStream out = new PrintStream(outBytes, true, StandardCharsets.UTF_8);
    volatile long now = 1_000_000_000_000L;
    boolean dryRun;
    boolean reject;
    boolean learn;
    /** Why no host is paced; null if all are. */
    String leftOut;
    int maxKeys = 10_000;
    Watch watch;
    Limiter limiter;

    private final List<Log> logs = new ArrayList<>();

    /** What it writes is in {@link #errText}. */
    Log log() {
        Log log = new Log(err, "info", null, 100L << 20);
        logs.add(log);
        return log;
    }

    Options options() {
        return new Options(err, out, "0.1-test");
    }

    Scene start(Options options) {
        watch = new Watch(options);
        logs.add(watch.log());
        limiter = new Limiter(clock(), new Seeded(), rules(), watch);
        watch.limiter(limiter);
        return this;
    }

    private Clock clock() {
        return () -> now;
    }

    private Rules rules() {
        Policy policy = new Policy.Builder().cooldownDuration(45_000_000_000L, 45_000_000_000L).learn(learn).reject(reject).build();
        boolean dry = dryRun;
        return new TestRules(host -> leftOut == null ? policy : null, true, dry, maxKeys, Long.MAX_VALUE) {
            @Override
            public String whyLeftOut(String host) {
                return leftOut;
            }
        };
    }

    Permit arrive(String host) {
        try {
            return limiter.arrive(new TestTarget(host, "/p"));
        } catch (java.io.IOException e) {
            return null;
        }
    }

    /** One request, for which the clock is turned as far as it has to wait. */
    void request(String host, int status) {
        Permit p = arrive(host);
        while (p != null && !p.granted() && !p.poll()) {
            now += 1_000_000;
        }
        if (p != null) {
            p.answered(status);
        }
    }

    void requests(int n, String host, int status) {
        for (int i = 0; i < n; i++) {
            request(host, status);
        }
    }

    String errText() {
        logs.forEach(l -> l.flush(60_000));
        return errBytes.toString(StandardCharsets.UTF_8);
    }

    List<String> errLines() {
        return errText().lines().toList();
    }

    /** The log's lines, without their time. */
    List<String> lines() {
        return errLines().stream().map(l -> l.replaceFirst("^.{19} \\[tempolimit\\] ", "")).toList();
    }

    String outText() {
        return outBytes.toString(StandardCharsets.UTF_8);
    }
}
