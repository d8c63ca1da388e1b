package io.tempolimit.detect;

import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings to be found in one pass over bytes, ASCII letters in either case. Not every byte is looked at: of each string some neighbouring
 * groups of four bytes are known, as many as the shortest string has (at most eight), so that one of them is met where only every so
 * many bytes a group is looked at; and only where a known group stands is there anything to compare. Of a string the groups are taken
 * that are rarest in pages. Immutable.
 */
final class Strings {
    private static final int GROUP = 4;
    private static final int MAX_STRIDE = 8;
    private static final int BITS = 14;
    /** Where the rarest groups of a string begin, as long as nobody has found out. */
    private static final int UNKNOWN = 0xffff;
    /** What makes the letters of a group lower case; other bytes may become the same, which the comparison then sees. */
    private static final int LOWER = 0x20202020;

    /** What is common in pages. Of strings like {@code <script src="https://} the beginning would be a bad thing to look for. */
    private static final String COMMON = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
            + "name=\"viewport\" content=\"width=device-width\"><title>the "
            + "page</title><link rel=\"stylesheet\" type=\"text/css\" "
            + "href=\"https://www.example.com/static/style.css\"><script type=\"text/javascript\" "
            + "src=\"https://cdn.example.com/main.js\" async></script>"
            + "<noscript><iframe src=\"/cdn-cgi/challenge-platform/scripts/\"></iframe></noscript></style></head><body "
            + "class=\"page\"><nav><ul><li class=\"menu-item\"><a href=\"/about\" title=\"about\" target=\"_blank\""
            + "></a></li></ul></nav><h2 id=\"section\">section</h2><p>this is the text of the article and it has been "
            + "written for you, your request, please, with that from "
            + "have not are was you can will more all our their which when what there would about access website "
            + "security information service "
            + "</p><div class=\"content\" id=\"main\" style=\"display:none\"><span class=\"label\"></span><img "
            + "src=\"/images/logo.png\" alt=\"\" width=\"100\" height=\"100\"><br></div>"
            + "<form action=\"/search\" method=\"post\"><input type=\"hidden\" name=\"token\" value=\"\"><button "
            + "type=\"submit\"></button></form>"
            + "<script>var data=window.data||{};function(){return this.document.getElementById(\"id\");}if(typeof "
            + "x===\"undefined\"){window.location.href=\"\"}else{null} captcha recaptcha challenge</script>"
            + "и в на не с что по как это для от из к у за так все его её их только было были или если при мы вы они есть быть "
            + "можно нужно сейчас сегодня также более очень через после перед между который которая которые чтобы новый новая новые "
            + "цена цены купить товары доставка оплата заказать корзина новости сайт страница главная контакты компания подробнее "
            + "россия москва человек время года лет работа пользователей информация материал размер женщин мужчин рублей отзывы";

    /** The longest string, in bytes. */
    final int longest;

    private final int count;
    /** One after the other; of each where it begins, and at last where the last one ends. */
    private final byte[] strings;
    private final int[] begins;
    private final int[] ids;
    /** How many bytes further the next group is looked at. */
    private final int stride;
    /** By hash, 0 if no group is known that has it, the group's {@link #mark}, or -1 if several have it. */
    private final byte[] known;
    /** By a group's hash the first entry and by entry the next one, from 1. */
    private final int[] first;
    private final int[] next;
    private final int[] groups;
    private final int[] which;
    private final int[] offsets;
    /** Those that are shorter than a group. */
    private final int[] tiny;

    /** All that were collected until now. */
    Strings(Builder collected) {
        int count = collected.count;
        strings = collected.strings;
        begins = collected.begins;
        ids = collected.ids;
        int longest = 0;
        int shortest = Integer.MAX_VALUE;
        int tinyOnes = 0;
        int[] tiny = new int[count];
        for (int i = 0; i < count; i++) {
            int length = begins[i + 1] - begins[i];
            longest = Math.max(longest, length);
            if (length < GROUP) {
                tiny[tinyOnes++] = i;
            } else {
                shortest = Math.min(shortest, length);
            }
        }
        this.count = count;
        this.longest = longest;
        this.tiny = Arrays.copyOf(tiny, tinyOnes);
        stride = count == tinyOnes ? 0 : Math.min(MAX_STRIDE, shortest - GROUP + 1);
        int n = (count - tinyOnes) * stride;
        known = new byte[n == 0 ? 0 : 1 << BITS];
        first = new int[n == 0 ? 1 : Integer.highestOneBit(n) * 2];
        next = new int[n + 1];
        groups = new int[n + 1];
        which = new int[n + 1];
        offsets = new int[n + 1];
        int entry = 0;
        for (int i = 0; i < count; i++) {
            int begin = begins[i];
            if (begins[i + 1] - begin >= GROUP) {
                if (collected.rarest[i] == UNKNOWN) {
                    collected.rarest[i] = rarest(begin, begins[i + 1]);
                }
                int rarest = collected.rarest[i];
                for (int j = rarest; j < rarest + stride; j++) {
                    add(++entry, group(strings, begin + j), i, j);
                }
            }
        }
    }

    private void add(int entry, int group, int string, int offset) {
        int hash = hash(group);
        known[hash] = known[hash] == 0 || known[hash] == mark(group) ? mark(group) : -1;
        groups[entry] = group;
        which[entry] = string;
        offsets[entry] = offset;
        next[entry] = first[hash & first.length - 1];
        first[hash & first.length - 1] = entry;
    }

    /** From where on the groups of the string between two places are rarest. */
    private int rarest(int begin, int end) {
        int count = end - begin - GROUP + 1;
        int[] common = new int[count];
        int sum = 0;
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            common[i] = Frequencies.of(group(strings, begin + i));
            sum += common[i];
            if (i >= stride) {
                sum -= common[i - stride];
            }
            if (i >= stride - 1 && sum < least) {
                least = sum;
                best = i - stride + 1;
            }
        }
        return best;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Notes in {@code found} (a bit for each id) what stands whole among the first {@code length} bytes; {@code view}
     * is of {@code b}, in little-endian order.
     */
    void find(byte[] b, ByteBuffer view, int length, long[] found) {
        if (stride > 0) {
            int last = length - GROUP;
            for (int i = known(view, 0, last); i <= last; i = known(view, i + stride, last)) {
                compare(b, i, length, view.getInt(i) | LOWER, found);
            }
        }
        for (int t : tiny) {
            int id = ids[t];
            for (int i = 0; i <= length - (begins[t + 1] - begins[t]) && (found[id >> 6] & 1L << id) == 0; i++) {
                if (equal(b, i, t)) {
                    found[id >> 6] |= 1L << id;
                }
            }
        }
    }

    /**
     * From {@code from} on, where the next group stands that is (by its hash) known; after {@code last} if none does.
     * Nothing else, so that it is a loop of few instructions.
     */
    private int known(ByteBuffer view, int from, int last) {
        byte[] known = this.known;
        int stride = this.stride;
        int i = from;
        while (i <= last) {
            int group = view.getInt(i) | LOWER;
            byte mark = known[hash(group)];
            if (mark != 0 && (mark < 0 || mark == mark(group))) {
                return i;
            }
            i += stride;
        }
        return i;
    }

    /** A known group stands at {@code at}. */
    private void compare(byte[] b, int at, int length, int group, long[] found) {
        for (int e = first[hash(group) & first.length - 1]; e != 0; e = next[e]) {
            if (groups[e] == group) {
                int string = which[e];
                int id = ids[string];
                int from = at - offsets[e];
                if (from >= 0 && from + begins[string + 1] - begins[string] <= length && (found[id >> 6] & 1L << id) == 0
                        && equal(b, from, string)) {
                    found[id >> 6] |= 1L << id;
                }
            }
        }
    }

    private static int group(byte[] b, int i) {
        return b[i] & 255 | (b[i + 1] & 255) << 8 | (b[i + 2] & 255) << 16 | b[i + 3] << 24 | LOWER;
    }

    private static int hash(int group) {
        return group * 0x9e3779b1 >>> 32 - BITS;
    }

    /** Something else than the hash by which groups differ, from 1 to 127. */
    private static byte mark(int group) {
        return (byte) (group * 0x9e3779b1 >>> 8 & 126 | 1);
    }

    private boolean equal(byte[] b, int from, int string) {
        int end = begins[string + 1];
        for (int i = begins[string], j = from; i < end; i++, j++) {
            int c = b[j];
            if (strings[i] != (c >= 'A' && c <= 'Z' ? c + 32 : c)) {
                return false;
            }
        }
        return true;
    }

    /** Collects strings. Not safe for use by several threads. */
    static final class Builder {
        private byte[] strings = new byte[0];
        private int[] begins = new int[1];
        private int[] ids = new int[0];
        private int[] rarest = new int[0];
        private int count;

        Builder() {
        }

        /** With those that the build has prepared. */
        Builder(Prepared in) {
            count = in.number();
            ids = in.numbers(count);
            rarest = in.numbers(count);
            begins = new int[count + 1];
            for (int i = 0; i < count; i++) {
                begins[i + 1] = begins[i] + in.number();
            }
            strings = in.bytes(begins[count]);
        }

        /** The same strings, to which others can be added. */
        Builder(Builder other) {
            strings = other.strings;
            begins = other.begins;
            ids = other.ids;
            rarest = other.rarest.clone();
            count = other.count;
        }

        /** A string in lower case, not empty, and what is noted when it was found. */
        void add(byte[] string, int id) {
            int end = begins[count];
            strings = Arrays.copyOf(strings, end + string.length);
            System.arraycopy(string, 0, strings, end, string.length);
            ids = Arrays.copyOf(ids, count + 1);
            ids[count] = id;
            rarest = Arrays.copyOf(rarest, count + 1);
            rarest[count++] = UNKNOWN;
            begins = Arrays.copyOf(begins, count + 1);
            begins[count] = end + string.length;
        }

        /** Those that were added until now, so that {@link #Builder(Prepared)} reads them; finds out what is rare in them. */
        void writeTo(DataOutput out) throws IOException {
            new Strings(this);
            Prepared.write(out, count);
            Prepared.write(out, ids, count);
            Prepared.write(out, rarest, count);
            for (int i = 0; i < count; i++) {
                Prepared.write(out, begins[i + 1] - begins[i]);
            }
            out.write(strings, 0, begins[count]);
        }
    }

    /** How common a group is. Only needed while strings are prepared. */
    private static final class Frequencies {
        private static final int[] LETTERS = new int[256];
        private static final boolean[] GROUPS = new boolean[1 << BITS];

        static {
            byte[] b = COMMON.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < b.length - GROUP; i++) {
                LETTERS[b[i] & 255 | 0x20]++;
                GROUPS[hash(group(b, i))] = true;
            }
        }

        static int of(int group) {
            int letters = LETTERS[group & 255] + LETTERS[group >> 8 & 255] + LETTERS[group >> 16 & 255] + LETTERS[group >>> 24];
            return GROUPS[hash(group)] ? letters + 10_000 : letters;
        }
    }
}
