package io.tempolimit.weave;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.gate.Headroom;
import java.lang.invoke.MethodHandles;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;

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
            return System.getSecurityManager() == null ? entered(number, lookup, self, args)
                    : asAgent(() -> entered(number, lookup, self, args));
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

    private Object entered(int number, MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Hook hook = hooks.get(number, lookup.lookupClass());
        if (hook == null) {
            return null;
        }
        Headroom.need(); // for its end too, which comes at the same depth
        return hook.enter(lookup, self, args);
    }

    /** With the agent's rights alone: where a security manager rules, the program that is on the stack may not do what the agent does. */
    private static <T> T asAgent(PrivilegedExceptionAction<T> action) throws Exception {
        try {
            return AccessController.doPrivileged(action);
        } catch (PrivilegedActionException e) {
            throw e.getException();
        }
    }

    @Override
    protected Object onExit(Object call, Object result) {
        try {
            return System.getSecurityManager() == null ? ((Call) call).exit(result) : asAgent(() -> ((Call) call).exit(result));
        } catch (Throwable t) {
            trouble(t);
            return result;
        }
    }

    @Override
    protected Object onFail(Object call, Throwable failure) throws Throwable {
        Throwable thrown = failure;
        try {
            boolean free = System.getSecurityManager() == null;
            Object instead = free ? ((Call) call).instead(failure) : asAgent(() -> ((Call) call).instead(failure));
            if (instead != null) {
                return instead;
            }
            thrown = free ? ((Call) call).fail(failure) : asAgent(() -> ((Call) call).fail(failure));
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
