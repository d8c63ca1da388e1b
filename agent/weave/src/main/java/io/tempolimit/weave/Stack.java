package io.tempolimit.weave;

import java.util.ArrayList;
import java.util.List;

/** The stack of an exception that goes to the application is what it would be if nothing had been woven. */
public final class Stack {
    private static final String[] OURS = {"io.tempolimit.clients.", "io.tempolimit.weave.", "io.tempolimit.gate."};
    private static final String BRIDGE = "java.lang.TempolimitBridge";

    private Stack() {
    }

    /** Takes out the agent's frames, and the first run of a woven method that a hook has run again. */
    public static void clean(Throwable thrown) {
        int depth = 0;
        for (Throwable t = thrown; t != null && depth < 20; t = t.getCause(), depth++) {
            StackTraceElement[] frames = t.getStackTrace();
            List<StackTraceElement> clean = new ArrayList<>(frames.length);
            boolean called = false;
            for (StackTraceElement frame : frames) {
                boolean bridge = frame.getClassName().equals(BRIDGE);
                if (!called && !bridge && !ours(frame.getClassName())) {
                    clean.add(frame);
                }
                called = bridge;
            }
            if (clean.size() < frames.length) {
                t.setStackTrace(clean.toArray(new StackTraceElement[0]));
            }
        }
    }

    private static boolean ours(String name) {
        for (String prefix : OURS) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
