package io.tempolimit.admin;

import io.tempolimit.watch.Watch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that answer: few, daemons, made when there is something to answer, and gone when there was nothing for a while.
 * Requests beyond them queue up, the newest in front: somebody who sends half a request on each of many connections does not
 * keep the others out. Who keeps a thread waiting is cut off, and sooner while others queue. An open page has a thread of its
 * own, up to a number.
 */
final class Workers implements Executor {
    /** With what the names of all these threads begin. */
    static final String NAMES = "tempolimit-admin-";
    private static final int THREADS = 8;
    private static final int PAGES = 16;
    private static final long STEP = 5_000_000_000L;
    private static final long WHOLE = 60_000_000_000L;
    /** For the head of a request while others queue. Clients send it in one piece. */
    private static final long HEAD = 200_000_000L;

    private final Watch watch;
    private final Patience patience = new Patience(STEP, WHOLE);
    private final AtomicInteger pages = new AtomicInteger();
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new NewestFirst(),
            new ThreadFactory() {
                @Override
                public Thread newThread(Runnable r) {
                    return daemon(r, NAMES + "worker");
                }
            });

    private static final class NewestFirst extends LinkedBlockingDeque<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable request) {
            return offerFirst(request);
        }
    }

    Workers(Watch watch) {
        this.watch = watch;
        pool.allowCoreThreadTimeOut(true);
    }

    /** One whose errors are ours, and not the application's, whose handler may end the JVM. */
    private Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.setContextClassLoader(null);
        t.setUncaughtExceptionHandler((thread, error) -> watch.trouble(error));
        return t;
    }

    Patience patience() {
        return patience;
    }

    /** One request, from its first byte to its answer's last. */
    @Override
    public void execute(Runnable request) {
        pool.execute(() -> {
            patience.begin();
            try {
                request.run();
            } finally {
                patience.end();
            }
        });
        hurry();
    }

    /** While others queue, half a head has to be whole soon. */
    private void hurry() {
        if (!pool.getQueue().isEmpty()) {
            patience.checkBeginners(HEAD);
        }
    }

    /** Serves an open page; false if there are too many of them. */
    boolean open(Feed feed) {
        if (pages.incrementAndGet() > PAGES) {
            pages.decrementAndGet();
            return false;
        }
        boolean begun = false;
        try {
            daemon(() -> {
                try {
                    feed.run();
                } finally {
                    pages.decrementAndGet();
                }
            }, NAMES + "page").start();
            begun = true;
        } finally {
            if (!begun) { // no more threads
                pages.decrementAndGet();
            }
        }
        return true;
    }

    /** To be called about once a second. */
    void check() {
        patience.check();
        hurry();
    }
}
