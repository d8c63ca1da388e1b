package io.tempolimit.config;

import io.tempolimit.core.runtime.ThisProcess;

/**
 * Names of files for which many JVMs share one setting: {@code %p} stands for the process id, {@code %h} for the host name, {@code %%}
 * for a percent sign. Stateless.
 */
final class FileName {
    private FileName() {
    }

    /** @throws IllegalArgumentException with what is wrong, for a fault's line */
    static String of(String path) {
        StringBuilder s = new StringBuilder(path.length() + 20);
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '%') {
                s.append(c);
                continue;
            }
            i++;
            char what = i < path.length() ? path.charAt(i) : ' ';
            if (what == 'p') {
                s.append(ThisProcess.pid());
            } else if (what == 'h') {
                s.append(ThisProcess.host());
            } else if (what == '%') {
                s.append('%');
            } else {
                throw new IllegalArgumentException("has a % that is followed by neither p (the process id), h (the host name) nor %");
            }
        }
        return s.toString();
    }
}
