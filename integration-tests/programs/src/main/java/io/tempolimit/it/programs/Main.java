package io.tempolimit.it.programs;

import io.tempolimit.it.programs.Adapter.Callback;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes commands on standard input, one a line, each after a number, and answers with one line: {@code =}, the number, the
 * answer. Commands run side by side: a command that needs another's answer is sent after that answer. The argument is the
 * adapter's class. It ends, without {@code System.exit}, with its input or by {@code end}.
 *
 * <pre>
 *   about                                  cancelled and interrupted exception, features
 *   open CLIENT key=value ...              opens a client
 *   close CLIENT | control CLIENT WHAT
 *   send CALL CLIENT MODE METHOD URL       begins a call; MODE: sync (a thread of its own), virtual, async, stream (async),
 *                                          cancelled (async: ended as soon as it has begun),
 *                                          glance (sync: closes the body after the first bytes), unread (sync: leaves the body)
 *   many CALL COUNT THREADS CLIENT MODE URL   begins COUNT calls, CALL0, CALL1 ..., to URL followed by the number
 *   nest CALL CLIENT URL URL2              an async call whose callback begins one to URL2 and waits for it
 *   lose CALL URL                          an async call of a client to which nobody refers
 *   first CALL MILLIS                      waits for the first byte of its body
 *   join CALL MILLIS                       waits for its end, and says what came of it
 *   joined CALL COUNT MILLIS               the same for many, in all
 *   parked CALL MILLIS                     waits until its thread waits for something
 *   statistics [KEY]                       what the agent says of a key, or of all
 *   cancel CALL | cancelled CALL COUNT | interrupt CALL | gc | end
 *   read CALL BYTES MILLIS                 waits until so much of its body has been read
 *   release CALL | drop CALL               closes the body that was left; or refers to it no more
 *   memory                                 how many bytes of the heap are held
 * </pre>
 */
public final class Main {
    private final Adapter adapter;
    private final PrintStream out = System.out;
    private final Map<String, Http> clients = new ConcurrentHashMap<>();
    private final Map<String, Running> calls = new ConcurrentHashMap<>();
    /** Not daemons: the threads of some clients are what the thread is that opens the client. */
    private final ExecutorService commands = Executors.newCachedThreadPool();

    private Main(Adapter adapter) {
        this.adapter = adapter;
    }

    public static void main(String[] args) throws Exception {
        Main main = new Main((Adapter) Class.forName(args[0]).getDeclaredConstructor().newInstance());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null && !line.equals("end"); ) {
            String[] words = line.split(" ");
            main.commands.execute(() -> main.out.println("=" + words[0] + " " + main.answer(Arrays.copyOfRange(words, 1, words.length))));
        }
        main.commands.shutdown();
    }

    private String answer(String[] words) {
        try {
            return obey(words);
        } catch (Throwable t) {
            t.printStackTrace();
            return "trouble " + t;
        }
    }

    private String obey(String[] words) throws Exception {
        switch (words[0]) {
            case "about":
                return adapter.cancelled() + " " + adapter.interrupted() + " " + adapter.features();
            case "open":
                clients.put(words[1], adapter.open(options(words, 2)));
                return "open";
            case "close":
                clients.get(words[1]).close();
                return "closed";
            case "control":
                return clients.get(words[1]).control(words[2]);
            case "send":
                return begin(words[1], clients.get(words[2]), words[3], words[4], words[5]);
            case "many":
                return many(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]), clients.get(words[4]), words[5], words[6]);
            case "nest":
                return nest(words[1], clients.get(words[2]), words[3], words[4]);
            case "lose":
                return begin(words[1], adapter.open(new HashMap<>()), "async", "GET", words[2]);
            case "first":
                return String.valueOf(calls.get(words[1]).first.await(Long.parseLong(words[2]), TimeUnit.MILLISECONDS));
            case "join":
                return calls.get(words[1]).outcome(Long.parseLong(words[2]));
            case "joined":
                return joined(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]));
            case "parked":
                return String.valueOf(calls.get(words[1]).parked(Long.parseLong(words[2])));
            case "statistics":
                return words.length > 1 ? Statistics.of(words[1]) : Statistics.ofAll();
            case "cancel":
                calls.get(words[1]).cancel();
                return "done";
            case "cancelled":
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    calls.get(words[1] + i).cancel();
                }
                return "done";
            case "interrupt":
                calls.get(words[1]).thread.interrupt();
                return "done";
            case "read":
                return String.valueOf(calls.get(words[1]).read(Long.parseLong(words[2]), Long.parseLong(words[3])));
            case "memory":
                System.gc();
                return String.valueOf(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
            case "release":
                calls.remove(words[1]).left.close();
                return "done";
            case "drop":
                calls.remove(words[1]);
                return "done";
            case "gc":
                System.gc();
                return "done";
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    private static Map<String, String> options(String[] words, int from) {
        Map<String, String> options = new HashMap<>();
        for (String word : Arrays.copyOfRange(words, from, words.length)) {
            int equals = word.indexOf('=');
            options.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return options;
    }

    /** Answers how many microseconds it took the caller. */
    private String begin(String id, Http client, String mode, String method, String url) throws Exception {
        Running call = new Running(new Request(method, url, mode.equals("stream")), mode);
        calls.put(id, call);
        long begin = System.nanoTime();
        if (mode.equals("async") || mode.equals("stream") || mode.equals("cancelled")) {
            call.start(client);
            if (mode.equals("cancelled")) {
                call.cancel();
            }
        } else {
            onThread(mode, call, () -> call.send(client));
        }
        return String.valueOf((System.nanoTime() - begin) / 1000);
    }

    private String many(String id, int count, int threads, Http client, String mode, String url) throws Exception {
        if (mode.equals("sync")) {
            for (int i = 0; i < count; i++) {
                calls.put(id + i, new Running(new Request("GET", url + i, false), mode));
            }
            AtomicInteger next = new AtomicInteger();
            for (int t = 0; t < threads; t++) {
                daemon(() -> {
                    for (int i; (i = next.getAndIncrement()) < count; ) {
                        calls.get(id + i).send(client);
                    }
                }).start();
            }
            return "0";
        }
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            begin(id + i, client, mode, "GET", url + i);
        }
        return String.valueOf((System.nanoTime() - begin) / 1000);
    }

    private String nest(String id, Http client, String url, String inner) {
        Running call = new Running(new Request("GET", url, false), "async");
        calls.put(id, call);
        client.start(call.request, new Callback() {
            @Override
            public void replied(Reply reply) {
                try {
                    begin(id + "-inner", client, "async", "GET", inner);
                    calls.get(id + "-inner").await();
                    call.replied(reply);
                } catch (Throwable t) {
                    call.failed(t);
                }
            }

            @Override
            public void failed(Throwable failure) {
                call.failed(failure);
            }
        });
        return "begun";
    }

    private String joined(String id, int count, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        int ok = 0;
        int failed = 0;
        String failure = "";
        for (int i = 0; i < count; i++) {
            Running call = calls.get(id + i);
            String outcome = call.outcome(Math.max(0, (end - System.nanoTime()) / 1_000_000));
            if (outcome.startsWith("ok")) {
                ok++;
            } else if (outcome.startsWith("failed")) {
                failed++;
                failure = outcome;
            }
            if (!outcome.equals("pending")) {
                calls.remove(id + i);
            }
        }
        return "ok=" + ok + " failed=" + failed + " pending=" + (count - ok - failed) + " " + failure;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    }

    private static void onThread(String mode, Running call, Runnable task) throws ReflectiveOperationException {
        if (mode.equals("virtual")) {
            call.thread = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } else {
            Thread thread = daemon(task);
            call.thread = thread;
            thread.start();
        }
    }
}
