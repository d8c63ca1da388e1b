package io.tempolimit.core.memory;

/**
 * For names that have no key: a time before which something of theirs is not over. 16 bytes a name, in a table that is at
 * least a quarter full; whatever is over by itself leaves it when its part of the table is full.
 *
 * <p>A name is known by 64 bits of a hash with a seed of its own. Of a million names, two are taken for one with a chance of one to thirty
 * million; then the one waits for the other. The table has many parts, so that none is large and nobody waits while one is made anew.
 * Not thread-safe.
 */
public final class NotBefore {
    private static final int PARTS = 256;
    private static final int FEW = 16;

    private final long seed;
    private final Part[] parts = new Part[PARTS];

    public NotBefore(long seed) {
        this.seed = seed;
    }

    /** Hash and time by turns; a hash of 0 is nobody. */
    private static final class Part {
        long[] table = new long[FEW];
        int names;

        int find(long hash) {
            int mask = table.length - 2;
            int at = (int) (hash >>> 8) << 1 & mask;
            while (table[at] != 0 && table[at] != hash) {
                at = at + 2 & mask;
            }
            return at;
        }

        void put(long hash, long time) {
            int at = find(hash);
            if (table[at] == 0) {
                table[at] = hash;
                names++;
            } else if (time - table[at + 1] < 0) {
                return;
            }
            table[at + 1] = time;
        }

        /** Makes room for one more, in a table of the right size. */
        void purge(long now) {
            long[] old = table;
            int left = 0;
            for (int i = 0; i < old.length; i += 2) {
                left += old[i] != 0 && old[i + 1] - now > 0 ? 1 : 0;
            }
            int size = FEW;
            while (size < 4 * (left + 1)) { // then it is half full
                size *= 2;
            }
            table = new long[size];
            names = 0;
            for (int i = 0; i < old.length; i += 2) {
                if (old[i] != 0 && old[i + 1] - now > 0) {
                    put(old[i], old[i + 1]);
                }
            }
        }
    }

    /** Of two times of a name, the later one stays. */
    public void put(String name, long time, long now) {
        if (time - now <= 0) {
            return;
        }
        long hash = hash(name);
        Part part = parts[(int) hash & PARTS - 1];
        if (part == null) {
            part = new Part();
            parts[(int) hash & PARTS - 1] = part;
        }
        if (8 * (part.names + 1) > 3 * part.table.length) { // three quarters of half as many
            part.purge(now);
        }
        part.put(hash, time);
    }

    /** The time of this name; now, if it has none or that is over. */
    public long get(String name, long now) {
        long hash = hash(name);
        Part part = parts[(int) hash & PARTS - 1];
        if (part == null) {
            return now;
        }
        int at = part.find(hash);
        return part.table[at] == 0 || part.table[at + 1] - now <= 0 ? now : part.table[at + 1];
    }

    /** Bytes that the tables take. */
    long bytes() {
        long bytes = 0;
        for (Part part : parts) {
            bytes += part == null ? 0 : 8L * part.table.length;
        }
        return bytes;
    }

    private long hash(String name) {
        long h = seed;
        for (int i = 0; i < name.length(); i++) {
            h = (h ^ name.charAt(i)) * 0x9e3779b97f4a7c15L;
            h ^= h >>> 29;
        }
        h *= 0xbf58476d1ce4e5b9L;
        h ^= h >>> 32;
        return h == 0 ? 1 : h;
    }
}
