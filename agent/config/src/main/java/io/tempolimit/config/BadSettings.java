package io.tempolimit.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The settings have faults; nothing of them holds. The message has a line for each, and is the same for the same faults. */
public final class BadSettings extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Fault> faults;

    BadSettings(List<Fault> faults) {
        super(lines(faults), null, false, false); // no stack: these are the user's faults, not the program's
        this.faults = Collections.unmodifiableList(new ArrayList<Fault>(faults));
    }

    /** All of them, by source from the strongest to the weakest; at least one. */
    public List<Fault> faults() {
        return faults;
    }

    private static String lines(List<Fault> faults) {
        StringBuilder s = new StringBuilder();
        for (Fault f : faults) {
            s.append(s.length() == 0 ? "" : "\n").append(f);
        }
        return s.toString();
    }
}
