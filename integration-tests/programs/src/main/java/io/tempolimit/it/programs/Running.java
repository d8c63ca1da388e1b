package io.tempolimit.it.programs;

import io.tempolimit.it.programs.Adapter.Callback;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/** A call and what came of it. */
final class Running implements Callback {
    /** How much of a refusal's body is told. */
    private static final int TEXT = 2000;

    final Request request;
    final CountDownLatch first = new CountDownLatch(1);
    final CountDownLatch done = new CountDownLatch(1);
    /** Null if the client has no thread of ours. */
    volatile Thread thread;
    /** The body of a call that does not read it. */
    volatile InputStream left;
    private final String mode;
    private volatile long length;
    private volatile long begin = System.nanoTime();
    private volatile String outcome;

    Running(Request request, String mode) {
        this.request = request;
        this.mode = mode;
    }

    /** On this thread, up to its end. */
    void send(Http client) {
        begin = System.nanoTime();
        try {
            replied(client.send(request));
        } catch (Throwable t) {
            failed(t);
        }
    }

    void start(Http client) {
        begin = System.nanoTime();
        try {
            client.start(request, this);
        } catch (RuntimeException refused) { // by a client that is closed
            failed(refused);
        }
    }

    /** Whether its thread has come to wait for something within this time. */
    boolean parked(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    /** Whether so much of its body has been read within this time. */
    boolean read(long bytes, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (length < bytes) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    void cancel() throws InterruptedException {
        while (request.cancel == null) { // not begun yet
            Thread.sleep(1);
        }
        request.cancel.run();
    }

    @Override
    public void replied(Reply reply) {
        if (mode.equals("unread")) {
            left = reply.body;
            end("ok status=" + reply.status);
            return;
        }
        try (InputStream body = reply.body) {
            CRC32 crc = new CRC32(); // not a digest: its classes would take longer to load than most bodies to come
            byte[] buffer = new byte[16384];
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            for (int n; (n = body.read(buffer)) >= 0; ) {
                first.countDown();
                crc.update(buffer, 0, n);
                head.write(buffer, 0, Math.min(n, Math.max(0, reply.status >= 400 ? TEXT - head.size() : 0)));
                length += n;
                if (mode.equals("glance")) {
                    body.close();
                    break;
                }
            }
            List<String> headers = new ArrayList<>();
            for (String header : reply.headers) {
                int colon = header.indexOf(':');
                headers.add(header.substring(0, colon).toLowerCase(Locale.ROOT) + header.substring(colon));
            }
            Collections.sort(headers);
            end("ok status=" + reply.status + " text=" + encode(new String(head.toByteArray(), StandardCharsets.UTF_8)) + " length="
                    + length + " crc=" + crc.getValue() + " headers=" + encode(headers.toString()));
        } catch (Throwable t) {
            failed(t);
        }
    }

    @Override
    public void failed(Throwable failure) {
        StringBuilder chain = new StringBuilder();
        StringBuilder classes = new StringBuilder();
        StringBuilder frames = new StringBuilder();
        StringBuilder own = new StringBuilder();
        boolean interruptedIo = false;
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            chain.append(depth == 0 ? "" : " <- ").append(t.getClass().getName()).append(": ").append(t.getMessage());
            classes.append(depth == 0 ? "" : ",").append(t.getClass().getName());
            interruptedIo |= t instanceof InterruptedIOException;
            for (StackTraceElement frame : t.getStackTrace()) {
                String name = frame.getClassName() + "." + frame.getMethodName();
                if (depth == 0) {
                    frames.append(frames.length() == 0 ? "" : ",").append(name);
                }
                if (name.contains("empolimit") && !name.startsWith("io.tempolimit.it.")) {
                    own.append(name).append(',');
                }
            }
        }
        end("failed classes=" + classes + " interrupted-io=" + interruptedIo + " flag=" + Thread.currentThread().isInterrupted()
                + " own-frames=" + own + " frames=" + encode(frames.toString()) + " chain=" + encode(chain.toString()));
    }

    private void end(String what) {
        outcome = what + " micros=" + (System.nanoTime() - begin) / 1000 + " thread=" + encode(Thread.currentThread().getName());
        first.countDown();
        done.countDown();
    }

    /** Waits for its end as a library would that knows of fork-join pools: from Java 25 the JDK's client calls back on one. */
    void await() throws InterruptedException {
        ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
            @Override
            public boolean block() throws InterruptedException {
                done.await();
                return true;
            }

            @Override
            public boolean isReleasable() {
                return done.getCount() == 0;
            }
        });
    }

    String outcome(long millis) throws InterruptedException {
        return done.await(millis, TimeUnit.MILLISECONDS) ? outcome : "pending";
    }

    private static String encode(String text) {
        try {
            return URLEncoder.encode(text, "UTF-8");
        } catch (UnsupportedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
