package io.tempolimit.redis;

import io.tempolimit.core.circuit.Incident;

/** An incident as Redis has it. On the way its times are differences to "now", so neither workers' nor servers' clocks need to agree. */
final class Record {
    private static final long SECOND = 1_000_000_000L;
    /** 300 days: what lies further away is nobody's, and what is kept for ever is kept so long. */
    private static final long LONGEST = 300 * 86_400 * SECOND;

    /** What all that is stored begins with. */
    private static final String VERSION = "v1";

    private Record() {
    }

    /** Whether it was written by a later version of the agent, which may mean anything by it. */
    static boolean isLater(String text) {
        int blank = text.indexOf(' ');
        if (blank < 2 || text.charAt(0) != 'v' || text.startsWith(VERSION + " ")) {
            return false;
        }
        for (int i = 1; i < blank; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a record.
     *
     * @param text      as it is stored
     * @param serverNow microseconds, when it was read there
     * @param now       when it arrived
     * @return null if it is no record
     */
    static Incident parse(String text, long serverNow, long now) {
        if (!text.startsWith(VERSION + " ")) {
            return null;
        }
        String[] f = text.substring(VERSION.length() + 1).split(" ", -1);
        if (f.length != 16) {
            return null;
        }
        try {
            int state = Integer.parseInt(f[3]);
            long pause = nanos(Long.parseLong(f[5]));
            long back = Math.max(0, Long.parseLong(f[1]) - serverNow); // the clock was set back since
            long base = serverNow + back;
            long left = nanos(Long.parseLong(f[4]) - base);
            double interval = Math.min(LONGEST, Double.parseDouble(f[12]) * 1000);
            int burst = Integer.parseInt(f[13]);
            int trips = Integer.parseInt(f[8]);
            int count = Integer.parseInt(f[10]);
            if (state < Incident.OPEN || state > Incident.LIFETIME_BLOCKED || trips < 0 || count < 0 || pause < 0
                    || burst < 0 || !(interval >= 0)) {
                return null;
            }
            return new Incident(Long.parseLong(f[0]), Integer.parseInt(f[2]), state, now + Math.min(left, pause), pause,
                    now + nanos(Long.parseLong(f[6]) - base),
                    f[7].equals("1"), f[7].equals("2"), trips, now + nanos(Long.parseLong(f[9]) - base), count,
                    now + nanos(Long.parseLong(f[11]) - base),
                    interval, burst, f[15], now + nanos(Long.parseLong(f[14]) - base));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long nanos(long micros) {
        return Math.max(-LONGEST, Math.min(LONGEST, Math.max(-LONGEST / 1000, Math.min(LONGEST / 1000, micros)) * 1000));
    }

    /** An incident's fields as the script wants them, from {@code at} on. */
    static void write(Incident i, String[] into, int at, long now) {
        String[] fields = {
            Integer.toString(i.epoch), Integer.toString(i.state), micros(i.until, now),
                    Long.toString(Math.min(LONGEST, i.pause) / 1000), micros(i.since, now),
            i.tripped ? "1" : i.held ? "2" : "0", Integer.toString(i.trips), micros(i.lastTrip, now),
            Integer.toString(i.count), micros(i.counted, now),
            Amount.micros(i.interval), Integer.toString(i.burst), micros(i.saved, now), i.learned,
        };
        System.arraycopy(fields, 0, into, at, fields.length);
    }

    private static String micros(long time, long now) {
        return Long.toString(Math.max(-LONGEST, Math.min(LONGEST, time - now)) / 1000);
    }

    /** Milliseconds for which it is worth keeping. {@code memory}: how long, in nanoseconds, counts and trips are. */
    static long worth(Incident i, long now, long memory) {
        long ends = memory;
        if (i.state == Incident.LIFETIME_BLOCKED || !i.learned.equals("-")) {
            ends = LONGEST;
        } else if (i.state != Incident.OPEN) {
            ends = Math.max(ends, i.until - now + memory);
        }
        return Math.max(1000, Math.min(LONGEST, ends) / 1_000_000);
    }
}
