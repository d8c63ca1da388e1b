package io.tempolimit.core.limiter;

import io.tempolimit.core.Listener;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Requests that the settings leave out: they are counted, and the first one is told, so that nobody takes them for paced. Thread-safe. */
final class LeftOut {
    /** An adder, as many threads may count. Null until the first request: its class is not loaded before main. */
    private volatile LongAdder requests;
    private final AtomicBoolean told = new AtomicBoolean();

    /** @param host whether its host is left out, and not its path alone */
    void add(Target target, boolean host, Rules rules, Listener listener) {
        if (target.arrivesAgain()) {
            return;
        }
        LongAdder all = requests;
        (all == null ? first() : all).increment();
        if (host && !told.get() && told.compareAndSet(false, true)) {
            String name = Hosts.canonical(target.host());
            String why = rules.whyLeftOut(name);
            if (why != null) {
                listener.leftOut(name, why);
            }
        }
    }

    private synchronized LongAdder first() {
        LongAdder all = requests;
        if (all == null) {
            all = new LongAdder();
            requests = all;
        }
        return all;
    }

    long count() {
        LongAdder all = requests;
        return all == null ? 0 : all.sum();
    }
}
