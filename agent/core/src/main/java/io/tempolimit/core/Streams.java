package io.tempolimit.core;

import io.tempolimit.core.policy.StreamLimits;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.BriefLock;
import io.tempolimit.core.runtime.Chain;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open event streams, in the order in which they were opened: how many there are of each key, of each URL and in
 * all. A stream leaves when its body ends, when it is turned away or closed to make room, or when its answer was
 * collected, which is seen when somebody looks the next time. Thread-safe.
 *
 * <p>What leaves to make room is counted no more from that moment on, though its connection is closed by its client,
 * which may take it a moment.
 */
public final class Streams {
    private static final String EVENT_STREAM = "text/event-stream";
    /** For {@link #nextEnd}: no stream ends by itself. */
    public static final long NEVER = Long.MAX_VALUE;

    private final BriefLock lock = new BriefLock();
    private final ReferenceQueue<Body> collected = new ReferenceQueue<>();

    // All below is guarded by the lock.
    /** By key, and by URL, which no key looks like. */
    private final Map<String, int[]> open = new HashMap<>();
    /** The oldest first. */
    private final Chain<Stream> streams = new Chain<>();
    private int inAll;

    /** One that is open. Nothing but the application's response, and what belongs to that, refers to its body. */
    static final class Stream extends WeakReference<Body> implements Chain.Link<Stream> {
        private final Streams streams;
        private final String key;
        private final String url;
        private final long end;
        private Stream previous;
        private Stream next;
        private boolean listed;

        private Stream(Streams streams, Body body, String key, String url, long end) {
            super(body, streams.collected);
            this.streams = streams;
            this.key = key;
            this.url = url;
            this.end = end;
        }

        /** It has ended; no effect if it has left before. */
        void closed() {
            streams.closed(this);
        }

        @Override
        public Stream previous() {
            return previous;
        }

        @Override
        public Stream next() {
            return next;
        }

        @Override
        public void previous(Stream s) {
            previous = s;
        }

        @Override
        public void next(Stream s) {
            next = s;
        }
    }

    /** Whether one more of this key and URL would be turned away. */
    public boolean turnsAway(String key, String url, StreamLimits limits) {
        if (limits.evictsOldest) {
            return false;
        }
        lock.lock();
        try {
            removeCollected();
            return full(key, url, limits);
        } finally {
            lock.unlock();
        }
    }

    private boolean full(String key, String url, StreamLimits limits) {
        return count(key) >= limits.perKey || count(url) >= limits.perUrl || inAll >= limits.inAll;
    }

    /**
     * An event stream has come.
     *
     * @param now     by the limiter's clock
     * @param victims gets those that left to make room, which the caller is to close
     * @return false if there is no room for it
     */
    public boolean open(Body body, String key, String url, StreamLimits limits, long now, List<Body> victims) {
        lock.lock();
        try {
            removeCollected();
            if (!limits.evictsOldest && full(key, url, limits)) {
                return false;
            }
            while (count(url) >= limits.perUrl) {
                evict(null, url, victims);
            }
            while (count(key) >= limits.perKey) {
                evict(key, null, victims);
            }
            while (inAll >= limits.inAll) {
                evict(null, null, victims);
            }
            Stream stream = new Stream(this, body, key, url, limits.timeout == StreamLimits.FOREVER ? NEVER : now + limits.timeout);
            append(stream);
            body.stream = stream;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest leaves that is of this key and this URL; null means any. */
    private void evict(String key, String url, List<Body> victims) {
        Stream s = streams.first();
        while (key != null && !s.key.equals(key) || url != null && !s.url.equals(url)) {
            s = s.next();
        }
        leave(s, victims);
    }

    /** It has ended; no effect if it has left before. */
    void closed(Stream stream) {
        lock.lock();
        try {
            remove(stream);
        } finally {
            lock.unlock();
        }
    }

    /** Those leave whose time is over; the caller is to close them. */
    public List<Body> expired(long now) {
        List<Body> over = new ArrayList<>();
        lock.lock();
        try {
            removeCollected();
            for (Stream s = streams.first(), after; s != null; s = after) {
                after = s.next();
                if (s.end != NEVER && s.end - now <= 0) {
                    leave(s, over);
                }
            }
        } finally {
            lock.unlock();
        }
        return over;
    }

    /** When the time of the first of them is over; or {@link #NEVER}. */
    public long nextEnd() {
        lock.lock();
        try {
            long first = NEVER;
            for (Stream s = streams.first(); s != null; s = s.next()) {
                if (s.end != NEVER && (first == NEVER || s.end - first < 0)) {
                    first = s.end;
                }
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Closes one that has left, and tells why. */
    public static void close(Body body, String why, Listener listener) {
        body.close(new IOException("event stream " + why + " (Tempolimit)"));
        listener.streamClosed(body.key(), why);
    }

    /** Closes one for which there is no room; its reader gets this. */
    public static void reject(Body body, IOException why) {
        body.close(why);
    }

    /** How many of this key are open. */
    public int open(String key) {
        lock.lock();
        try {
            removeCollected();
            return count(key);
        } finally {
            lock.unlock();
        }
    }

    private void leave(Stream stream, List<Body> to) {
        remove(stream);
        Body body = stream.get();
        if (body != null) {
            to.add(body);
        }
    }

    private void removeCollected() {
        for (Stream s; (s = (Stream) collected.poll()) != null; ) {
            remove(s);
        }
    }

    private void append(Stream stream) {
        streams.append(stream);
        stream.listed = true;
        inAll++;
        add(stream.key, 1);
        add(stream.url, 1);
    }

    private void remove(Stream stream) {
        if (!stream.listed) {
            return;
        }
        stream.listed = false;
        streams.remove(stream);
        inAll--;
        add(stream.key, -1);
        add(stream.url, -1);
    }

    private int count(String keyOrUrl) {
        int[] n = open.get(keyOrUrl);
        return n == null ? 0 : n[0];
    }

    private void add(String keyOrUrl, int change) {
        int[] n = open.computeIfAbsent(keyOrUrl, k -> new int[1]);
        n[0] += change;
        if (n[0] == 0) {
            open.remove(keyOrUrl);
        }
    }

    /** Whether a request asks for an event stream; one that names it later is content with an answer of another kind. */
    public static boolean asksFor(Target target) {
        String accept = target.header("Accept");
        return accept != null && accept.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
    }
}
