package io.tempolimit.watch;

/** How much the log says; each level says what those after it do. */
enum Level {
    TRACE, DEBUG, INFO, WARN, ERROR, OFF;

    /** The level of this name in any case; INFO if there is none, since an odd level must not silence a warning. */
    static Level of(String name) {
        for (Level level : values()) {
            if (level.name().equalsIgnoreCase(name)) {
                return level;
            }
        }
        return INFO;
    }
}
