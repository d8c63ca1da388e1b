package io.tempolimit.core.policy;

/** Which paths of a host are paced and judged. Implementations are immutable. */
public interface PathRules {
    /** Every path. */
    PathRules ALL = new PathRules() {
        @Override
        public boolean covers(String path) {
            return true;
        }
    };

    /** Whether a request for this raw (still encoded) path, without its query, is paced. */
    boolean covers(String path);
}
