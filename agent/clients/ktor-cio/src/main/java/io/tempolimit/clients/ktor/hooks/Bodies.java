package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.request.HttpResponseData;
import io.ktor.utils.io.ByteReadChannel;
import io.tempolimit.core.Body;
import io.tempolimit.gate.WeakMap;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import kotlin.Unit;
import kotlinx.coroutines.Job;

/** The bodies that are just being read, each known by its channel. */
final class Bodies {
    private static final WeakMap<Object, Body> COMING = new WeakMap<>(Body::cut);
    /** {@code ByteReadChannel.cancel}, which returns something in Ktor 2 and nothing in 3. */
    private static final Method CANCEL = cancel();

    private Bodies() {
    }

    /** A body comes, and ends with its call. */
    static void begin(HttpResponseData response, Body body) {
        Object channel = response.getBody(); // no channel of bytes for a web socket, or where a plugin has made something of it
        if (isRead(channel)) {
            body.end(); // there is none
            return;
        }
        COMING.put(channel, body);
        response.getCallContext().get(Job.Key).invokeOnCompletion(true, true, cause -> {
            COMING.remove(channel);
            if (isRead(channel)) {
                body.end();
            } else {
                body.cut();
            }
            return Unit.INSTANCE;
        });
    }

    /** Closes a response, with this failure. In this order: a reader that hears of a cancelled call takes itself for cancelled. */
    static Consumer<IOException> closer(HttpResponseData response) {
        WeakReference<Object> channel = new WeakReference<>(response.getBody());
        WeakReference<Job> call = new WeakReference<>(response.getCallContext().get(Job.Key));
        return why -> {
            Object streaming = channel.get();
            if (streaming instanceof ByteReadChannel) {
                cancel(streaming, why);
            }
            Job of = call.get();
            if (of != null) {
                of.cancel(new CancellationException(why.getMessage()));
            }
        };
    }

    /** What is to be shown the bytes that leave this channel; null if nothing. */
    static Body toShow(Object channel) {
        Body body = COMING.get(channel);
        if (body == null || !body.over()) {
            return body;
        }
        body.passed();
        return null;
    }

    private static boolean isRead(Object channel) {
        return channel instanceof ByteReadChannel && ((ByteReadChannel) channel).isClosedForRead()
                && ((ByteReadChannel) channel).getClosedCause() == null;
    }

    private static void cancel(Object channel, IOException why) {
        try {
            CANCEL.invoke(channel, why);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Method cancel() {
        try {
            return ByteReadChannel.class.getMethod("cancel", Throwable.class);
        } catch (NoSuchMethodException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }
}
