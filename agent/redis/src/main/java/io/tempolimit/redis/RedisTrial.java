package io.tempolimit.redis;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One connection, and each script once, on keys of a name that no host has. What a worker needs a right for is thus
 * tried, and nothing of a fleet that
 * works there is touched: it is not in its list of workers either.
 */
public final class RedisTrial implements Fleet.Trial {
    private static final long SECOND = 1_000_000_000L;
    /** Longest that one step of it is waited for; all of the client is new to this JVM. */
    private static final long STEP = 10 * SECOND;
    /** Of so many calls the fastest one says how far away Redis is. */
    private static final int CALLS = 5;
    private static final String KEY = "{ check }";
    private static final String WORKER = "check";

    @Override
    public String attempt(FleetSettings settings, Consumer<String> warning) throws IOException {
        Address address = Address.parse(settings.uri(), settings.password(), settings.cluster());
        Loop loop = new Loop(() -> { });
        CompletableFuture<Failure> linked = new CompletableFuture<>();
        String channel = Incidents.channel(settings.prefix());
        Transport transport = new Transport(loop, address, Duration.ofNanos(STEP), channel, new Transport.Listener() {
            @Override
            public void linked() {
                linked.complete(null);
            }

            @Override
            public void unlinked(Failure why) {
                linked.complete(why);
            }

            @Override
            public void published(String message) {
                // what a fleet tells itself
            }

            @Override
            public void warning(String text) {
                warning.accept(text);
            }
        });
        try {
            loop.execute(transport::renew);
            Failure failure = await(linked, address);
            if (failure != null) {
                throw cannot(failure, address);
            }
            return works(settings, channel, address, transport, warning);
        } finally {
            transport.close();
            loop.end();
        }
    }

    private static String works(FleetSettings settings, String channel, Address address, Transport transport, Consumer<String> warning)
            throws IOException {
        String begin = settings.prefix() + ":" + KEY + ":";
        String[] keys = RedisKey.keys(begin);
        long now = System.nanoTime();
        Incident over = new Incident.Builder(now).epoch(1).rest(Incident.COOLING_DOWN, now, 0, now).build();
        call(transport, address, Script.BEAT, new String[] {begin + "workers"}, WORKER, "1000", "0", "");
        call(transport, address, Script.TAKE, keys, RedisKey.trial(WORKER));
        call(transport, address, Script.JUDGE, keys, RedisKey.judging(0, over, null, SECOND, channel, KEY, now));
        call(transport, address, Script.TAKE, keys, RedisKey.trial(WORKER)); // the probe
        call(transport, address, Script.RELEASE, new String[] {keys[2]}, WORKER, channel);
        call(transport, address, Script.GIVE, new String[] {keys[0]}, "0", "1", "1");
        long fastest = Long.MAX_VALUE;
        Object workers = null;
        for (int i = 0; i < CALLS; i++) {
            long from = System.nanoTime();
            workers = call(transport, address, Script.BEAT, new String[] {settings.prefix() + ":workers"}, WORKER, "15000", "1", "");
            fastest = Math.min(fastest, System.nanoTime() - from);
        }
        String took = String.format(Locale.ROOT, "%.1f ms", fastest / 1e6);
        if (fastest > settings.timeout()) {
            throw new IOException("Redis at " + address.where() + " takes " + took
                    + " for an answer, which is more than redis.timeout= waits for");
        }
        if (2 * fastest > settings.timeout()) {
            warning.accept("redis.timeout= waits for less than twice as long as an answer of Redis takes at best (" + took + ")");
        }
        Object n = workers instanceof List && !((List<?>) workers).isEmpty() ? ((List<?>) workers).get(0) : 0;
        return "Redis at " + address.where() + " answers within " + took + "; " + n
                + (n.equals(1L) ? " JVM shares" : " JVMs share") + " limits there";
    }

    private static Object call(Transport transport, Address address, Script script, String[] keys, String... arguments) throws IOException {
        CompletableFuture<Failure> failed = new CompletableFuture<>();
        Object[] answered = new Object[1];
        transport.run(script, keys, arguments, (answer, failure, took) -> {
            answered[0] = answer;
            failed.complete(failure);
        });
        Failure failure = await(failed, address);
        if (failure != null) {
            throw cannot(failure, address);
        }
        return answered[0];
    }

    private static Failure await(CompletableFuture<Failure> future, Address address) throws IOException {
        try {
            return future.get(2 * STEP, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw cannot(Failure.LATE, address);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
    }

    private static IOException cannot(Failure why, Address address) {
        return new IOException("Redis cannot be used: " + why.at(" at " + address.where()));
    }
}
