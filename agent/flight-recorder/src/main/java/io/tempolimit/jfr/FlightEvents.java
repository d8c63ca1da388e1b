package io.tempolimit.jfr;

/** Hands what happens to Flight Recorder, if it records that. Stateless. */
public final class FlightEvents {
    private FlightEvents() {
    }

    /** A request begins to wait; gives what {@link #waited} wants, null if nobody records it. */
    public static Object waits() {
        ThrottleEvent event = new ThrottleEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * The wait is over, on the thread that goes on.
     *
     * @param begun null if nobody recorded its beginning, or it had none: in a dry run
     */
    public static void waited(Object begun, String key, String host, long nanos, boolean dryRun) {
        ThrottleEvent event = begun == null ? new ThrottleEvent() : (ThrottleEvent) begun;
        event.key = key;
        event.host = host;
        event.waited = nanos;
        event.dryRun = dryRun;
        event.commit(); // if that is recorded, and it took as long as the threshold asks
    }

    /** Whether anybody records blocks. */
    public static boolean blocks() {
        return new BlockEvent().isEnabled();
    }

    /** An answer was a block. */
    public static void blocked(String key, String host, String type, boolean counts, String vendor, String rule,
            String evidence, int status, String url,
            int consecutive, boolean dryRun) {
        BlockEvent event = new BlockEvent();
        event.key = key;
        event.host = host;
        event.type = type;
        event.counts = counts;
        event.vendor = vendor;
        event.rule = rule;
        event.evidence = evidence;
        event.status = status;
        event.url = url;
        event.consecutive = consecutive;
        event.dryRun = dryRun;
        event.commit();
    }

    /** A key begins to rest. */
    public static void cooldown(String key, String state, long nanos, String reason, int rung, boolean dryRun) {
        CooldownEvent event = new CooldownEvent();
        event.key = key;
        event.state = state;
        event.length = nanos;
        event.reason = reason;
        event.rung = rung;
        event.dryRun = dryRun;
        event.commit();
    }

    /** A request was not sent. */
    public static void rejected(String key, String host, String code, boolean dryRun) {
        RejectionEvent event = new RejectionEvent();
        if (event.isEnabled()) {
            event.key = key;
            event.host = host;
            event.code = code;
            event.dryRun = dryRun;
            event.commit();
        }
    }
}
