package io.tempolimit.detect;

/**
 * What is normal on a host: how much text its pages have, whether it sends empty ones, and whether its answers in JSON have something
 * in them. Fixed memory of 56 bytes, and 32 with JSON. Threads may race on it: an update may be lost, which does no harm.
 */
public final class Baseline {
    private static final int PAGES = 8;
    /** So many good pages before anything is said about a host. */
    private static final int ENOUGH = 20;
    /** On hosts with less text than this a page with little text is nothing unusual. */
    private static final int MUCH_TEXT = 2000;
    /** Hosts with less text than this are let alone: shells of applications, fragments. */
    private static final int SOME_TEXT = 300;
    /** So many alike in a row are a block. */
    private static final int IN_A_ROW = 3;
    /** So many without a title, which a host's answers for its own scripts often lack. */
    private static final int UNTITLED_IN_A_ROW = 5;
    /** So many paths that answer one and the same page are a block too, whatever the page has on it. */
    private static final int MANY_IN_A_ROW = 10;
    /** So many in a row are the host's new face, and no block: it is learnt anew. */
    private static final int NEW_FACE = 20;
    private static final int FEW_LINKS = 3;
    /** So many blank pages that came alone, between pages with text, say that blank ones are normal here. */
    private static final int BLANK_ALONE = 5;
    /** So many blank pages without ever another one say so too. */
    private static final int BLANK_ONLY = 20;

    /** Visible characters of the last good pages, 16 bits each. */
    private long first;
    private long second;
    private byte good;
    private int goodTitle;
    /** The little pages since the last good one: how many, and what they have in common. */
    private int row;
    private int rowTitle;
    private int rowPath;
    private int rowLook;
    private byte blanks;
    private byte blankRow;
    private byte blanksAlone;
    /** What is known of its answers in JSON; null if there are none. */
    private EmptyResults results;

    /** Makes one for a host of which nothing is known. */
    public Baseline() { }

    /**
     * Takes a page that is no block by itself. True: it is one by what is normal here. That is so in two cases. On a host whose pages
     * have much text, pages with next to no text and links come in a row from different paths, all with one title that no good page had
     * or all without one. Or many paths in a row answer one page: the same title, as much text, as many links. Such a page has less than
     * half of the usual text, or a title that is not the usual one.
     */
    boolean isTooLittle(Page page, String path) {
        int visible = Math.min(page.visibleCharacters(), 0xffff);
        int title = page.title() == null ? 0 : page.title().hashCode();
        int median = good < ENOUGH || page.fragment() && title == 0 ? 0 : median();
        boolean few = median >= MUCH_TEXT && page.links() <= FEW_LINKS && title != goodTitle && visible * 10 < median;
        if (median < SOME_TEXT || visible * 2 >= median && title == goodTitle) {
            learn(page, visible);
            goodTitle = title;
            return false;
        }
        int pathHash = pathHash(path);
        int enough = !few ? MANY_IN_A_ROW : title == 0 ? UNTITLED_IN_A_ROW : IN_A_ROW;
        if (row > 0 && title == rowTitle && isAlike(visible, page.links(), few)) {
            if (row >= enough || pathHash != rowPath) { // the same page again may be small by nature
                row++;
            }
        } else {
            if (!few) {
                goodTitle = row > 0 && title == rowTitle ? title : goodTitle; // pages that differ have it: the site's own
                learn(page, visible); // one of its kind is but another page
            }
            row = 1;
        }
        rowTitle = title;
        rowLook = look(visible, page.links());
        rowPath = pathHash;
        if (row >= NEW_FACE) {
            good = 0;
            row = 0;
            return false;
        }
        return row >= enough;
    }

    /** Whether a page looks like the last of the row: of one with next to no text the text may be a little longer or shorter. */
    private boolean isAlike(int visible, int links, boolean few) {
        int before = rowLook & 0xffff;
        return few ? Math.abs(visible - before) <= 10 + before / 10 : look(visible, links) == rowLook;
    }

    private static int look(int visible, int links) {
        return links << 16 | visible;
    }

    private void learn(Page page, int visible) {
        if (!page.complete() && visible < MUCH_TEXT) {
            return;
        }
        if (visible > 0) {
            if (blankRow > 0 && blankRow < IN_A_ROW && blanksAlone < BLANK_ALONE) {
                blanksAlone++;
            }
            blankRow = 0;
            blanks = 0;
        }
        second = second << 16 | first >>> 48;
        first = first << 16 | visible;
        good = good < Byte.MAX_VALUE ? (byte) (good + 1) : good;
        row = 0;
    }

    private int median() {
        int[] sizes = new int[PAGES];
        for (int i = 0; i < PAGES; i++) {
            sizes[i] = (int) ((i < 4 ? first >>> 16 * i : second >>> 16 * (i - 4)) & 0xffff);
        }
        java.util.Arrays.sort(sizes);
        return sizes[PAGES / 2 - 1];
    }

    /**
     * Takes an empty page. True: empty pages are not normal here. A document of no bytes at all, or for programs alone,
     * is only told from an address that never has another once the host has sent a page with text.
     */
    boolean isBlank(boolean mayBeDue) {
        if (blanksAlone >= BLANK_ALONE && blankRow < IN_A_ROW - 1 || good == 0 && blanks >= BLANK_ONLY) {
            blankRow = blankRow < Byte.MAX_VALUE ? (byte) (blankRow + 1) : blankRow;
            return false;
        }
        blanks = blanks < Byte.MAX_VALUE ? (byte) (blanks + 1) : blanks;
        blankRow = blankRow < Byte.MAX_VALUE ? (byte) (blankRow + 1) : blankRow;
        return !mayBeDue || good > 0;
    }

    /** What is known of its answers in JSON. */
    EmptyResults results() {
        EmptyResults r = results;
        if (r == null) {
            r = new EmptyResults(); // two threads may both come here: one answer is not counted
            results = r;
        }
        return r;
    }

    private static int pathHash(String path) {
        int query = path == null ? -1 : path.indexOf('?');
        return path == null ? 0 : query < 0 ? path.hashCode() : path.substring(0, query).hashCode();
    }
}
