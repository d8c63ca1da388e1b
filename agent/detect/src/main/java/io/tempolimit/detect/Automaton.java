package io.tempolimit.detect;

import java.util.Arrays;
import java.util.List;

/**
 * Finds many strings in one pass over bytes (Aho and Corasick's machine). A shallow state has a row with its next state for every class
 * of bytes; a deep one, where a text hardly ever gets to, has only the edges of its own. A state is an int: below {@link #deep} the
 * start of its row. Accepting states are all deep ones, so that the fast path need not ask. ASCII letters match in either case. Immutable.
 */
final class Automaton {
    /** Where each stream begins. */
    static final int START = 0;
    /** Rows that are at most spent: all states of three bytes for some hundred patterns, and small enough for a processor's cache. */
    private static final int MAX_ROWS = 640;

    /** A byte's column in a row; 0 is every byte that no pattern has. */
    final char[] columns = new char[256];
    /** The rows, one after the other. */
    final int[] next;
    /** States from here on are deep. */
    final int deep;

    private final int[] firstEdge;
    private final char[] edgeColumn;
    private final int[] edgeTarget;
    private final int[] fail;
    /** For each deep state the entries (pattern id, places) that end here, shorter ones included; null: none. */
    private final int[][] accepted;

    /** Builds one for {@code strings} (not empty ones), each with the id and the places that {@link #accept} gives when it was found. */
    Automaton(List<byte[]> strings, int[] ids, int[] places) {
        int width = columns(strings);
        int size = 1;
        for (byte[] s : strings) {
            size += s.length;
        }
        int[] child = new int[size]; // of each node of the tree its first child,
        int[] sibling = new int[size]; // the next child of its parent,
        char[] column = new char[size]; // and the column of the edge to it
        int[] back = new int[size]; // the node of its longest proper suffix
        int[][] ends = new int[size][];
        int nodes = 1;
        for (int i = 0; i < strings.size(); i++) {
            int node = 0;
            for (byte b : strings.get(i)) {
                char c = columns[b & 255];
                int to = find(child, sibling, column, node, c);
                if (to == 0) {
                    to = nodes++;
                    column[to] = c;
                    sibling[to] = child[node];
                    child[node] = to;
                }
                node = to;
            }
            ends[node] = append(ends[node], ids[i], places[i]);
        }
        int[] order = new int[nodes]; // breadth first: a suffix comes before what it is a suffix of
        int filled = 1;
        for (int i = 0; i < filled; i++) {
            int node = order[i];
            for (int to = child[node]; to != 0; to = sibling[to]) {
                order[filled++] = to;
                if (node != 0) {
                    int suffix = back[node];
                    int found = find(child, sibling, column, suffix, column[to]);
                    while (found == 0 && suffix != 0) {
                        suffix = back[suffix];
                        found = find(child, sibling, column, suffix, column[to]);
                    }
                    back[to] = found;
                    if (ends[found] != null) {
                        ends[to] = append(ends[to], ends[found]);
                    }
                }
            }
        }

        int[] state = new int[nodes];
        int rows = 0;
        for (int i = 0; i < nodes && rows < MAX_ROWS; i++) {
            if (ends[order[i]] == null) {
                state[order[i]] = rows++ * width;
            } else {
                state[order[i]] = -1;
            }
        }
        deep = rows * width;
        int deepStates = 0;
        int[] deepNodes = new int[nodes - rows];
        for (int i = 1; i < nodes; i++) {
            int node = order[i];
            if (state[node] <= 0) { // accepting, or after the last row
                deepNodes[deepStates] = node;
                state[node] = deep + deepStates++;
            }
        }

        next = new int[deep];
        int[] chain = new int[256];
        for (int i = 0; i < nodes; i++) {
            int node = order[i];
            int row = state[node];
            if (row >= deep) {
                continue;
            }
            int length = 0;
            int suffix = back[node];
            while (state[suffix] >= deep) {
                if (length == chain.length) {
                    chain = Arrays.copyOf(chain, length * 2);
                }
                chain[length++] = suffix;
                suffix = back[suffix];
            }
            if (node != 0) {
                System.arraycopy(next, state[suffix], next, row, width);
            }
            while (length > 0) {
                edges(child, sibling, column, state, chain[--length], row);
            }
            edges(child, sibling, column, state, node, row);
        }

        firstEdge = new int[deepStates + 1];
        fail = new int[deepStates];
        accepted = new int[deepStates][];
        char[] someColumns = new char[nodes];
        int[] someTargets = new int[nodes];
        int edges = 0;
        for (int i = 0; i < deepStates; i++) {
            int node = deepNodes[i];
            firstEdge[i] = edges;
            fail[i] = state[back[node]];
            accepted[i] = ends[node];
            for (int to = child[node]; to != 0; to = sibling[to]) {
                someColumns[edges] = column[to];
                someTargets[edges++] = state[to];
            }
        }
        firstEdge[deepStates] = edges;
        edgeColumn = Arrays.copyOf(someColumns, edges);
        edgeTarget = Arrays.copyOf(someTargets, edges);
    }

    /** The state after a byte whose column is {@code column}. */
    int step(int state, int column) {
        return state < deep ? next[state + column] : deepStep(state, column);
    }

    /** {@link #step} for a deep state. */
    int deepStep(int state, int column) {
        int s = state;
        do {
            int i = s - deep;
            for (int e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
                if (edgeColumn[e] == column) {
                    return edgeTarget[e];
                }
            }
            s = fail[i];
        } while (s >= deep);
        return next[s + column];
    }

    /** Notes in {@code found} (a bit for each id) what ends in the deep {@code state} and may stand at {@code place}. */
    void accept(int state, int place, long[] found) {
        int[] entries = accepted[state - deep];
        if (entries != null) {
            for (int i = 0; i < entries.length; i += 2) {
                if ((entries[i + 1] & place) != 0) {
                    found[entries[i] >> 6] |= 1L << entries[i];
                }
            }
        }
    }

    private int columns(List<byte[]> strings) {
        int width = 1;
        for (byte[] s : strings) {
            for (byte b : s) {
                if (columns[b & 255] == 0) {
                    columns[b & 255] = (char) width++;
                }
            }
        }
        for (int c = 'a'; c <= 'z'; c++) {
            columns[c - 32] = columns[c];
        }
        return width;
    }

    private static int find(int[] child, int[] sibling, char[] column, int node, char c) {
        int to = child[node];
        while (to != 0 && column[to] != c) {
            to = sibling[to];
        }
        return to;
    }

    private void edges(int[] child, int[] sibling, char[] column, int[] state, int node, int row) {
        for (int to = child[node]; to != 0; to = sibling[to]) {
            next[row + column[to]] = state[to];
        }
    }

    private static int[] append(int[] entries, int... more) {
        if (entries == null) {
            return more;
        }
        int[] longer = Arrays.copyOf(entries, entries.length + more.length);
        System.arraycopy(more, 0, longer, entries.length, more.length);
        return longer;
    }
}
