package io.tempolimit.it.programs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An HTTP client as the contract test sees it: what it can do, how it fails, and how to open one. */
public interface Adapter {
    /** What the contract asks of some clients only. What is not named here is asked of all. */
    enum Feature {
        /** {@link Http#start} works. */
        ASYNC,
        /** A call on another thread can be ended through {@link Request#cancel}. */
        CANCEL_SYNC,
        /** A started call can be ended through {@link Request#cancel}. */
        CANCEL_ASYNC,
        /** A waiting thread that is interrupted finds its flag set afterwards. */
        KEEPS_INTERRUPT,
        /** Option {@code cache=FOLDER}. */
        CACHE,
        /** Option {@code http2=true}: it speaks HTTP/2, in clear text. */
        HTTP2,
        /** Option {@code proxy}; when that asks for a password, the client sends the request once more. */
        PROXY,
        /** Option {@code proxy}, for one that asks for nothing. */
        TAKES_PROXY,
        /** {@link Http#close} closes it, with the option {@code closes} at least. */
        CLOSE,
        /** Calls that it has not sent yet when it is closed fail otherwise than those that begin then. */
        CANCELS_UNSENT,
        /** {@link Http#control} knows {@code queued} and {@code cancel-all}. */
        QUEUE,
        /** It sends a request that was answered 429 once more, by itself. */
        REPEATS_429,
        /** It sends nothing again by itself: neither with a password nor after a lost connection. */
        SENDS_ONCE,
        /** It has futures that cannot be cancelled: an interrupt ends its thread's wait, and not the call. */
        UNSTOPPABLE,
        /** It reads trailers when it is asked for them, so that they are taken for the next answer if nobody asks. */
        LEAVES_TRAILERS,
        /** Its I/O errors are the causes of unchecked exceptions. */
        UNCHECKED,
        /** Its threads keep the JVM alive until it is closed. */
        OUTLIVES,
        /** Its I/O errors are made by an event loop, with a stack that depends on what else that does. */
        EVENT_LOOP,
        /** It speaks no TLS here, and takes an {@code https} address for one without. */
        NO_TLS,
        /** It needs two threads at the least, so calls that start together may overtake each other on their way to the gate. */
        OVERTAKES,
        /** It keeps a request for up to half a second by itself, without the agent too, as a thread that has work waits for the network. */
        LAGS,
        /** A call that is cancelled just as its answer begins may stay open and unread: the client itself loses track of it. */
        LOSES_CANCELLED,
        /** It sends no request once more, however it failed. */
        NEVER_RETRIES,
        /** A call on the calling thread returns when its whole body has come. */
        BUFFERS_SYNC,
        /** A call returns when its whole body has come, however it is made: the client keeps all of it. */
        BUFFERS_ALL,
        /** A timeout of a call on the calling thread goes on while a hop waits. */
        TIMES_OUT_IN_SYNC,
        /** Started calls keep the JVM alive until they are done. */
        KEEPS_ALIVE,
        /** With {@code reject-with=response} it answers a rejected request. */
        ANSWERS_REJECTIONS,
        /** The agent sees its answers' bodies as they are read. */
        BODIES,
        /** What the application has of an unread answer is all that keeps it. */
        COLLECTS,
        /** A POST asks before it sends its body, which is {@link Request#BODY}. */
        EXPECTS,
        /**
         * Option {@code user-agent}, as an application sets it for all requests of a client; without it the client
         * sends its own, or none.
         */
        USER_AGENT,
    }

    /** What this client has. */
    Set<Feature> features();

    /** Name of the class of the exception with which a cancelled call ends: most complete a future. */
    default String cancelled() {
        return "java.util.concurrent.CancellationException";
    }

    /** Name of the class of the exception with which an interrupted one ends. */
    default String interrupted() {
        return "java.lang.InterruptedException";
    }

    /**
     * Opens a client that follows redirects, across hosts too.
     *
     * @param options {@code timeout} (milliseconds, for all that the client has a timeout for), {@code user} and
     * {@code password}, {@code proxy} ({@code HOST:PORT}), {@code cache} (a folder), {@code threads} (of its executor),
     * {@code user-agent},
     *                {@code repeat} (how often to repeat what was answered 429, where a client does that when asked), {@code closes} (it
     *                shares nothing with other clients that {@link Http#close} closes); all may be absent
     */
    Http open(Map<String, String> options) throws Exception;

    /** The option {@code proxy}; null if there is none. */
    static InetSocketAddress proxy(Map<String, String> options) {
        String proxy = options.get("proxy");
        int colon = proxy == null ? 0 : proxy.indexOf(':');
        return proxy == null ? null : new InetSocketAddress(proxy.substring(0, colon), Integer.parseInt(proxy.substring(colon + 1)));
    }

    /** An open client. */
    interface Http extends Closeable {
        /** Sends a request on the calling thread. */
        Reply send(Request request) throws Exception;

        /** Starts a request; the callback is called on whatever thread the client calls back on. */
        default void start(Request request, Callback callback) {
            throw new UnsupportedOperationException();
        }

        /** Something that only this client has. */
        default String control(String what) {
            throw new UnsupportedOperationException(what);
        }

        @Override
        default void close() throws IOException {
        }
    }

    /** The end of a started request. */
    interface Callback {
        void replied(Reply reply);

        void failed(Throwable failure);
    }

    /** What to send. */
    final class Request {
        static final String BODY = "body";

        public final String method;
        public final String url;
        /** Whether the body is wanted while it comes. */
        public final boolean stream;
        /** How to end it; set by the adapter before it sends. */
        public volatile Runnable cancel;

        boolean posts() {
            return method.equals("POST");
        }

        public Request(String method, String url, boolean stream) {
            this.method = method;
            this.url = url;
            this.stream = stream;
        }
    }

    /** What came back; {@code headers} as lines. The body is closed by whoever reads it. */
    final class Reply {
        public final int status;
        public final List<String> headers;
        public final InputStream body;

        public Reply(int status, List<String> headers, InputStream body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }
    }
}
