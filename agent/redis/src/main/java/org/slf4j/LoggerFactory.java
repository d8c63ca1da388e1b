package org.slf4j;

import org.slf4j.helpers.NOPLogger;

/**
 * In place of slf4j's own, for reactor, which logs by slf4j or else by java.util.logging, and is asked for neither.
 * slf4j's looks for somebody who logs, says on standard error that there is nobody, and regards system properties of
 * the application's; java.util.logging would begin before the application has said how.
 */
public final class LoggerFactory {
    private LoggerFactory() {
    }

    /** A logger that drops everything. */
    public static Logger getLogger(String name) {
        return NOPLogger.NOP_LOGGER;
    }

    /** The same. */
    public static Logger getLogger(Class<?> type) {
        return NOPLogger.NOP_LOGGER;
    }
}
