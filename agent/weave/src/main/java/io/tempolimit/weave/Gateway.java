package io.tempolimit.weave;

import io.tempolimit.RequestRejectedException;
import java.lang.invoke.MethodHandles;

/** The agent's end of the bridge. An error of ours never reaches the application. */
final class Gateway extends TempolimitBridge {
    private final Hooks hooks;
    private final Reporter reporter;

    Gateway(Hooks hooks, Reporter reporter) {
        this.hooks = hooks;
        this.reporter = reporter;
    }

    @Override
    protected Object onEnter(int number, MethodHandles.Lookup lookup, Object self, Object[] args) throws Throwable {
        try {
            Hook hook = hooks.get(number, lookup.lookupClass());
            return hook == null ? null : hook.enter(lookup, self, args);
        } catch (RequestRejectedException e) {
            throw e;
        } catch (Refusal e) {
            throw e.getCause();
        } catch (ReflectiveOperationException | IncompatibleClassChangeError e) {
            unfit(number, lookup.lookupClass(), e);
            return null;
        } catch (Throwable t) {
            trouble(t);
            return null;
        }
    }

    @Override
    protected Object onExit(Object call, Object result) {
        try {
            return ((Call) call).exit(result);
        } catch (Throwable t) {
            trouble(t);
            return result;
        }
    }

    @Override
    protected Object onFail(Object call, Throwable failure) throws Throwable {
        Throwable thrown = failure;
        try {
            Object instead = ((Call) call).instead(failure);
            if (instead != null) {
                return instead;
            }
            thrown = ((Call) call).fail(failure);
        } catch (Throwable t) {
            trouble(t);
        }
        throw thrown;
    }

    private void unfit(int number, Class<?> caller, Throwable why) {
        try {
            hooks.unfit(number, caller, why);
        } catch (Throwable t) {
            trouble(why);
        }
    }

    private void trouble(Throwable t) {
        try {
            reporter.trouble(t);
        } catch (Throwable again) {
            // there is nobody left to tell
        }
    }
}
