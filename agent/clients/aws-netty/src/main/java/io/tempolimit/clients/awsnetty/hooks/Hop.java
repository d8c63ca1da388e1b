package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import java.lang.ref.WeakReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import software.amazon.awssdk.http.SdkCancellationException;
import software.amazon.awssdk.http.SdkHttpResponse;

/** A request that has passed the gate. Refers to nothing of the application's, so that it may be forgotten with its context. */
final class Hop {
    /** By the client's {@code RequestContext}. */
    private static final WeakMap<Object, Hop> BY_CONTEXT = new WeakMap<>(hop -> hop.over(new CancellationException()));
    /** What this thread is just handing to the client. */
    private static final ThreadLocal<Hop> SENDING = new ThreadLocal<>();

    final Permit permit;
    private final Gate gate;
    private final Executor loop;
    private volatile WeakReference<CompletableFuture<Void>> future;
    /** Null if nobody wants to see one. */
    private volatile Body body;

    Hop(Gate gate, Permit permit, Executor loop) {
        this.gate = gate;
        this.permit = permit;
        this.loop = loop;
    }

    /** This thread hands it to the client; null when it has. */
    static void sends(Hop hop) {
        if (hop == null) {
            SENDING.remove();
        } else {
            SENDING.set(hop);
        }
    }

    static boolean isSending() {
        return SENDING.get() != null;
    }

    /** What this thread hands to the client has this context. What an application sends meanwhile, called back, is another hop. */
    static void has(Object context) {
        Hop hop = SENDING.get();
        if (hop != null) {
            SENDING.remove();
            BY_CONTEXT.put(context, hop);
        }
    }

    /** Null if it is not paced. */
    static Hop of(Object context) {
        return BY_CONTEXT.get(context);
    }

    /** The client has begun with it, and this is its end. */
    void began(CompletableFuture<Void> sent) {
        future = new WeakReference<>(sent);
        sent.whenComplete((none, failure) -> over(failure));
    }

    private void over(Throwable failure) {
        Body coming = body;
        if (failure == null) {
            if (coming != null) {
                coming.end();
            }
            return;
        }
        if (failure instanceof CancellationException || failure instanceof SdkCancellationException) {
            permit.abandoned();
        } else {
            permit.failed(failure);
        }
        if (coming != null) {
            coming.cut();
        }
    }

    /** Its head has come. */
    void answered(SdkHttpResponse head) {
        Body coming = permit.answered(new ResponseHead(head));
        if (coming != null && coming.stream()) {
            WeakReference<Hop> streaming = new WeakReference<>(this);
            gate.opened(coming, loop, why -> {
                Hop still = streaming.get();
                WeakReference<CompletableFuture<Void>> sent = still == null ? null : still.future;
                CompletableFuture<Void> open = sent == null ? null : sent.get();
                if (open != null) {
                    open.completeExceptionally(why);
                }
            });
        }
        body = coming;
    }

    /** Null if nobody wants to see it. */
    Body body() {
        return body;
    }
}
