package io.tempolimit.watch;

/** Something that happened, on its way to the event log. Immutable: made by who saw it, written by another thread. */
final class Event {
    /** Room for a long URL; thousands of events that wait must not fill the application's heap. */
    static final int LONGEST = 4096;

    /** Milliseconds since 1970. */
    final long time = System.currentTimeMillis();
    final String name;
    /** Null if it is of no key; the same for {@link #host}. */
    final String key;
    final String host;
    final boolean dryRun;
    /** Names and values in turn; a value is a String, Long, Integer, Boolean, list of strings, or null for none. */
    final Object[] fields;

    Event(String name, String key, String host, boolean dryRun, Object... fields) {
        this.name = name;
        this.key = cut(key);
        this.host = cut(host);
        this.dryRun = dryRun;
        this.fields = fields;
        for (int i = 1; i < fields.length; i += 2) {
            if (fields[i] instanceof String) {
                fields[i] = cut((String) fields[i]);
            }
        }
    }

    private static String cut(String text) {
        return text == null || text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
