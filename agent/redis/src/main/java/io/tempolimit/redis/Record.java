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
            long back = Math.max(0, Long.parseLong(f[1]) - serverNow); // the clock was set back since
            return new Incident.Builder(now).version(Long.parseLong(f[0]))
                    .fields(new Reader(f, 2, serverNow + back, now)).endsInTime(now).build();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Reads the fields of a record, from one on. */
    private static final class Reader implements Incident.Fields {
        private final String[] fields;
        private final long base;
        private final long now;
        private int next;

        /** @param base the time on the server, in microseconds, which is now here */
        Reader(String[] fields, int next, long base, long now) {
            this.fields = fields;
            this.next = next;
            this.base = base;
            this.now = now;
        }

        @Override
        public int number(String name, int value, int most) {
            int n = any(name, value);
            if (n < 0 || n > most) {
                throw new IllegalArgumentException(name + " is " + n);
            }
            return n;
        }

        @Override
        public int any(String name, int value) {
            return Integer.parseInt(fields[next++]);
        }

        @Override
        public long moment(String name, long nanos) {
            return now + nanos(Long.parseLong(fields[next++]) - base);
        }

        @Override
        public long length(String name, long nanos) {
            long n = nanos(Long.parseLong(fields[next++]));
            if (n < 0) {
                throw new IllegalArgumentException(name + " is " + n);
            }
            return n;
        }

        @Override
        public double interval(String name, double nanos) {
            double n = Math.min(LONGEST, Double.parseDouble(fields[next++]) * 1000);
            if (!(n >= 0)) {
                throw new IllegalArgumentException(name + " is " + n);
            }
            return n;
        }

        @Override
        public String text(String name, String value) {
            return fields[next++];
        }
    }

    private static long nanos(long micros) {
        return Math.max(-LONGEST, Math.min(LONGEST, Math.max(-LONGEST / 1000, Math.min(LONGEST / 1000, micros)) * 1000));
    }

    /** An incident's fields as the script wants them, from {@code at} on. */
    static void write(Incident i, String[] into, int at, long now) {
        new Incident.Builder(i).fields(new Writer(into, at, now));
    }

    /** Writes the fields of a record, from one on. */
    private static final class Writer implements Incident.Fields {
        private final String[] fields;
        private final long now;
        private int next;

        Writer(String[] fields, int next, long now) {
            this.fields = fields;
            this.next = next;
            this.now = now;
        }

        @Override
        public int number(String name, int value, int most) {
            return any(name, value);
        }

        @Override
        public int any(String name, int value) {
            fields[next++] = Integer.toString(value);
            return value;
        }

        @Override
        public long moment(String name, long nanos) {
            fields[next++] = micros(nanos, now);
            return nanos;
        }

        @Override
        public long length(String name, long nanos) {
            fields[next++] = Long.toString(Math.min(LONGEST, nanos) / 1000);
            return nanos;
        }

        @Override
        public double interval(String name, double nanos) {
            fields[next++] = Amount.micros(nanos);
            return nanos;
        }

        @Override
        public String text(String name, String value) {
            fields[next++] = value;
            return value;
        }
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
