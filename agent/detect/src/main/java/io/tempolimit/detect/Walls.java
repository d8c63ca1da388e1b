package io.tempolimit.detect;

/** What walls say to a visitor: subjects that come together in one sentence or title. */
final class Walls {
    private static final String YOURS = Traits.YOURS;
    private static final String[][] ALL = {{YOURS, "denied"}, {YOURS, "many"}, {"denied", "network"}, {"denied", "many", "you"},
        {"denied", "many", "request"}, {"denied", "robot"}, {"denied", "automatic", "request"}, {"denied", "automatic", "you"},
        {"denied", "automatic", "network"}, {"denied", "automatic", "guard"}, {"many", "request", "you"}, {"human", "check"},
        {"human", "you"}, {"robot", "check", "you"}, {"robot", "request", "you"}, {"captcha", "request"}, {"captcha", "human"},
        {"captcha", "robot"}, {"captcha", "guard"}, {"browser", "check"}, {"guard", "denied", "you"}, {"guard", "check", "you"},
        {"guard", "denied", "request"}, {"guard", "check", "request"}, {"check", "network", "wait"}, {"many", "wait", "you"},
        {"many", "refusal", "you"}, {"automatic", "request", "you"}, {"automatic", "request", "many"},
        {"automatic", "request", "network"}, {"automatic", "request", "guard"}, {"automatic", "request", "robot"},
        {"automatic", "request", "check"}, {"automatic", "request", "browser"}, {"guard", "request", "you", "refusal"}};

    private Walls() {
    }

    /** As bits, one number for each. */
    static long[] of(Words words) {
        long[] walls = new long[ALL.length];
        for (int i = 0; i < walls.length; i++) {
            walls[i] = words.bits(ALL[i]);
        }
        return walls;
    }
}
