package io.tempolimit.detect;

/**
 * Whether an interface that had full lists answers empty ones: some sites do so above a limit, and say nothing. Counts the host's
 * answers in JSON. An empty one has an empty list or an empty object, or is {@code null}, and has less than half of the usual length.
 * One that comes alone is a search without a match. Many in a row are a block, if they come from different addresses, are alike,
 * and if hardly any has come before.
 *
 * <p>Fixed memory of 32 bytes. Threads may race on it: an update may be lost, which does no harm.
 */
final class EmptyResults {
    /** So many full answers before anything is said about a host. */
    private static final int ENOUGH = 20;
    /** So many empty ones in a row, each from another address, are a block. */
    private static final int IN_A_ROW = 10;
    /** So many that came alone, or before there were enough full ones, say that empty ones are normal here. */
    private static final int ALONE = 5;
    /** So many in a row are what the host has to say, and no block. Until then a dozen probes may have found it shut. */
    private static final int NEW_FACE = 40;
    /** Full answers: the mean of about so many last ones is the usual length. */
    private static final int MEMORY = 8;

    private byte full;
    private byte alone;
    private byte row;
    private int usual;
    private int rowShape;
    private int rowAddress;

    /** Takes the length of an answer that is not empty. */
    void full(int length) {
        if (row > 0 && row < IN_A_ROW && alone < ALONE) {
            alone++;
        }
        row = 0;
        usual = full == 0 ? length : usual + (length - usual) / MEMORY;
        full = full < ENOUGH ? (byte) (full + 1) : full;
    }

    /**
     * Takes an answer that was read to its end, and is no block by itself; gives whether it is one by what is normal here.
     *
     * @param json    the answer, in UTF-8
     * @param address its path with its query
     */
    boolean isBlock(byte[] json, String address) {
        if (!JsonShape.isEmpty(json) || full > 0 && 2 * json.length >= usual) {
            full(json.length);
            return false;
        }
        if (alone >= ALONE) {
            return false;
        }
        if (full < ENOUGH) {
            alone++;
            return false;
        }
        int shape = JsonShape.of(json);
        int hash = address == null ? 0 : address.hashCode();
        if (row == 0 || shape != rowShape) {
            row = 1;
        } else if (row >= IN_A_ROW || hash != rowAddress) { // the same address may have nothing more to say
            row++;
        }
        rowShape = shape;
        rowAddress = hash;
        if (row >= NEW_FACE) {
            alone = ALONE;
            row = 0;
            return false;
        }
        return row >= IN_A_ROW;
    }
}
