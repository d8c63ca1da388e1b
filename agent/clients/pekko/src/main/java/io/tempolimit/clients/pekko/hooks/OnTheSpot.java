package io.tempolimit.clients.pekko.hooks;

import scala.concurrent.ExecutionContext;

/** Runs what it is given, at once: what is short and does not block, as the pool does with its own. */
final class OnTheSpot implements ExecutionContext {
    static final ExecutionContext EXECUTOR = new OnTheSpot();

    private OnTheSpot() {
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void reportFailure(Throwable failure) {
        // an error of ours, which does the application no harm
    }
}
