package io.tempolimit.it.contract;

import io.tempolimit.it.harness.Fork;
import java.io.EOFException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/** The forked program ({@code io.tempolimit.it.programs.Main}), by its commands, which threads may give side by side. */
final class Program implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Fork fork;
    private final AtomicInteger names = new AtomicInteger();
    /** What commands wait for, by their number. */
    private final Map<String, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private volatile boolean ended;
    private String cancelled;
    private String interrupted;
    private String features;

    Program(Fork fork) {
        this.fork = fork;
        Thread reader = new Thread(this::readAnswers, "program-answers");
        reader.setDaemon(true);
        reader.start();
        String[] about = ask("about").split(" ", 3);
        cancelled = about[0];
        interrupted = about[1];
        features = about[2];
    }

    /** The process. */
    Fork fork() {
        return fork;
    }

    /** The exception of a cancelled call. */
    String cancelledBy() {
        return cancelled;
    }

    /** The exception of an interrupted call. */
    String interruptedBy() {
        return interrupted;
    }

    /** Whether the client has this; the names are those of {@code Adapter.Feature}. */
    boolean can(String feature) {
        return Arrays.asList(features.substring(1, features.length() - 1).split(", ")).contains(feature);
    }

    /** {@code sync}, and {@code async} if the client has it. */
    List<String> modes() {
        return can("ASYNC") ? List.of("sync", "async") : List.of("sync");
    }

    /** A new client; gives its name. */
    String open(String... options) {
        String name = "client" + names.incrementAndGet();
        ask("open " + name + " " + String.join(" ", options));
        return name;
    }

    /** Begins a GET. */
    Call get(String client, String mode, String url) {
        return begin(client, mode, "GET", url);
    }

    /** Begins a request. */
    Call begin(String client, String mode, String method, String url) {
        String id = "call" + names.incrementAndGet();
        ask("send " + id + " " + client + " " + mode + " " + method + " " + url);
        return new Call(this, id);
    }

    /** Sends a GET on a thread of its own and waits for what comes of it. */
    Outcome send(String client, String url) {
        return get(client, "sync", url).join();
    }

    /** Begins many GETs: {@code url} followed by 0, 1, ...; by this many threads if {@code sync}. */
    Calls many(String client, String mode, int count, int threads, String url) {
        String id = "many" + names.incrementAndGet() + "-";
        long micros = Long.parseLong(ask("many " + id + " " + count + " " + threads + " " + client + " " + mode + " " + url));
        return new Calls(this, id, count, micros);
    }

    /** An asynchronous call whose callback begins another one and waits for it. */
    Call nest(String client, String url, String inner) {
        String id = "call" + names.incrementAndGet();
        ask("nest " + id + " " + client + " " + url + " " + inner);
        return new Call(this, id);
    }

    /** An asynchronous call of a client that nobody refers to. */
    Call lose(String url) {
        String id = "call" + names.incrementAndGet();
        ask("lose " + id + " " + url);
        return new Call(this, id);
    }

    /** How many bytes of its heap are held. */
    long memory() {
        return Long.parseLong(ask("memory"));
    }

    /** Sends a command; gives the answer. */
    String ask(String command) {
        String number = String.valueOf(names.incrementAndGet());
        CompletableFuture<String> coming = new CompletableFuture<>();
        answers.put(number, coming);
        try {
            fork.tell(number + " " + command);
            if (ended) {
                end();
            }
            String answer = coming.get(SOON.toNanos(), TimeUnit.NANOSECONDS);
            if (answer.startsWith("trouble")) {
                throw fork.trouble("answered '" + command + "' with " + answer);
            }
            return answer;
        } catch (TimeoutException e) {
            throw fork.trouble("has not answered '" + command + "' for " + SOON);
        } catch (ExecutionException e) {
            throw fork.trouble("has ended, and not answered '" + command + "'");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw fork.trouble("was not waited for");
        } finally {
            answers.remove(number);
        }
    }

    /** Past what else the program prints, and answers that nobody waits for any more. */
    private void readAnswers() {
        for (String line; (line = fork.next()) != null; ) {
            int space = line.indexOf(' ');
            CompletableFuture<String> coming = line.startsWith("=") && space > 0 ? answers.get(line.substring(1, space)) : null;
            if (coming != null) {
                coming.complete(line.substring(space + 1));
            }
        }
        ended = true;
        end();
    }

    private void end() {
        answers.values().forEach(coming -> coming.completeExceptionally(new EOFException()));
    }

    @Override
    public void close() {
        fork.close();
    }

    /** A call that has begun. */
    record Call(Program program, String id) {
        /** Waits for its end. */
        Outcome join() {
            return join(Contract.PATIENCE);
        }

        /** Waits for its end; fails when the time is over. */
        Outcome join(Duration limit) {
            String answer = outcome(limit);
            if (answer.equals("pending")) {
                throw program.fork.trouble("has not finished " + id + " after " + limit);
            }
            return new Outcome(answer);
        }

        /** Whether it ends within this time. */
        boolean ends(Duration limit) {
            return !outcome(limit).equals("pending");
        }

        private String outcome(Duration limit) {
            return program.ask("join " + id + " " + limit.toMillis());
        }

        /** Whether the first byte of its body came within this time. */
        boolean first(Duration limit) {
            return program.ask("first " + id + " " + limit.toMillis()).equals("true");
        }

        /** Waits until its thread waits; an asynchronous call's caller does not. */
        Call parked() {
            if (!program.ask("parked " + id + " 30000").equals("true")) {
                throw program.fork.trouble("has no waiting thread for " + id);
            }
            return this;
        }

        /** Ends it as the client lets one. */
        void cancel() {
            program.ask("cancel " + id);
        }

        /** Waits until that many bytes of its body have been read. */
        void read(long bytes) {
            if (!program.ask("read " + id + " " + bytes + " 30000").equals("true")) {
                throw program.fork.trouble("has not read " + bytes + " bytes of " + id);
            }
        }

        /** Refers to its unread body no more. */
        void drop() {
            program.ask("drop " + id);
        }

        /** Closes the body that it left unread. */
        void release() {
            program.ask("release " + id);
        }

        /** Interrupts its thread. */
        void interrupt() {
            program.ask("interrupt " + id);
        }
    }

    /** Calls that have begun; {@code callerMicros}: how long that took the caller of an asynchronous client. */
    record Calls(Program program, String id, int count, long callerMicros) {
        /** Waits for their end: {@code ok=1 failed=0 pending=0}, and the last failure. */
        String join(Duration limit) {
            return program.ask("joined " + id + " " + count + " " + limit.toMillis());
        }

        /** Fails unless all of them succeed. */
        void allOk(Duration limit) {
            String joined = join(limit);
            if (!joined.startsWith("ok=" + count + " ")) {
                throw program.fork.trouble("has not done all of " + count + ": " + URLDecoder.decode(joined, StandardCharsets.UTF_8));
            }
        }

        /** Cancels all of them. */
        void cancel() {
            program.ask("cancelled " + id + " " + count);
        }
    }

    /** What came of a call. */
    static final class Outcome {
        private final String text;
        private final Map<String, String> fields = new HashMap<>();

        Outcome(String text) {
            this.text = text;
            for (String word : text.split(" ")) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    fields.put(word.substring(0, equals), URLDecoder.decode(word.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
        }

        /** The field {@code crc} of a body that is this, so many times. */
        static String crc(byte[] part, int times) {
            CRC32 crc = new CRC32();
            for (int i = 0; i < times; i++) {
                crc.update(part);
            }
            return String.valueOf(crc.getValue());
        }

        /** Whether there was an answer, and its body was read. */
        boolean ok() {
            return text.startsWith("ok");
        }

        /** The answer's status; 0 if there was none. */
        int status() {
            return ok() ? Integer.parseInt(get("status")) : 0;
        }

        /** How long it took. */
        Duration took() {
            return Duration.ofNanos(Long.parseLong(get("micros")) * 1000);
        }

        /** A field: {@code status length crc headers}, or {@code classes chain frames own-frames flag interrupted-io}. */
        String get(String field) {
            return fields.get(field);
        }

        /** The class of the exception. */
        String failure() {
            return ok() ? "none" : get("classes").split(",")[0];
        }

        /** Fails unless it has this status. */
        Outcome expect(int status) {
            if (status() != status) {
                throw new AssertionError("expected " + status + ", but: " + this);
            }
            return this;
        }

        @Override
        public String toString() {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }
}
