package io.tempolimit.config;

import static io.tempolimit.config.SettingKey.Trait.OF_REQUEST;
import static io.tempolimit.config.SettingKey.Trait.PER_DOMAIN;
import static io.tempolimit.config.SettingKey.Trait.RESTART;
import static io.tempolimit.config.SettingKey.Trait.SECRET;

/**
 * Every key there is. A new key is one row here. {@link Settings} reads it for all hosts, {@link Policies} what may stand per domain.
 *
 * <p>Columns: name, kind of value, default (as one would write it), traits, meaning, and for keys whose values are words: the words.
 */
enum SettingKey {
    ENABLED("enabled", Kind.BOOLEAN, "true", 0, "false at the start: nothing is woven; later, in the file: nothing is paced"),
    DRY_RUN("dry-run", Kind.BOOLEAN, "false", 0, "report everything, delay and reject nothing"),
    CONFIG("config", Kind.FILE, "none", RESTART, "a JSON file with settings, looked at every 5 s"),
    RATE("rate", Kind.RATE, "3", PER_DOMAIN, "requests a second per host"),
    BURST("burst", Kind.COUNT, "5", PER_DOMAIN, "how many requests may go at once after a quiet time"),
    WINDOW("window", Kind.WINDOWS, "none", PER_DOMAIN, "more limits, each a number of requests in any span of time"),
    CONCURRENCY("concurrency", Kind.COUNT, "none", PER_DOMAIN, "requests in flight per key, each until its body is read or closed"),
    STREAMS("streams", Kind.COUNT, "none", PER_DOMAIN, "open event streams per key"),
    STREAMS_PER_URL("streams-per-url", Kind.COUNT, "none", PER_DOMAIN, "open event streams per URL"),
    STREAMS_GLOBAL("streams-global", Kind.COUNT, "none", PER_DOMAIN, "open event streams in all"),
    STREAM_POLICY("stream-policy", Kind.WORD, "reject", PER_DOMAIN, "what happens when a stream is too many", "reject,evict-oldest"),
    STREAM_TIMEOUT("stream-timeout", Kind.DURATION, "none", PER_DOMAIN, "closes an event stream that is open longer"),
    JITTER("jitter", Kind.FRACTION, "0", PER_DOMAIN, "adds to each delay a random part of a token's interval, up to this fraction"),
    ON_LIMIT("on-limit", Kind.WORD, "wait", PER_DOMAIN, "what happens to a request that is too early", "wait,reject"),
    MAX_WAIT("max-wait", Kind.WAIT, "unlimited", PER_DOMAIN, "a request whose wait would be longer is rejected at once"),
    REJECT_WITH("reject-with", Kind.WORD, "exception", PER_DOMAIN,
            "what a rejected request gets; a response only where its client allows that", "exception,response"),
    KEY("key", Kind.KEYS, "host", RESTART, "what has its own bucket and cooldown"),
    ACCOUNT_SECRET("account.secret", Kind.SECRET, "random", SECRET | RESTART,
            "key of the HMAC that makes names of accounts from a header's values"),
    INCLUDE("include", Kind.HOSTS, "all", 0, "hosts that are paced"),
    EXCLUDE("exclude", Kind.HOSTS, "private,services", 0,
            "hosts that are not paced; adds to the default, and -private or -services takes one out"),
    INCLUDE_PATHS("include-paths", Kind.PATHS, "all", PER_DOMAIN | OF_REQUEST, "paths that are paced and judged"),
    EXCLUDE_PATHS("exclude-paths", Kind.PATHS, "none", PER_DOMAIN | OF_REQUEST, "paths that are neither paced nor judged"),
    DENY("deny", Kind.HOSTS, "none", PER_DOMAIN | OF_REQUEST, "hosts whose requests are rejected at once"),
    COOLDOWN_THRESHOLD("cooldown.threshold", Kind.COUNT, "3", PER_DOMAIN, "consecutive blocks that start a cooldown"),
    COOLDOWN_DURATION("cooldown.duration", Kind.RANGE, "30s-60s", PER_DOMAIN,
            "how long a cooldown lasts, drawn at random each time. It grows while the site goes on blocking, up to about an hour;"
                    + " learn=false keeps it, max-wait=1m rejects requests that would wait longer"),
    COOLDOWN_MEMORY("cooldown.memory", Kind.DURATION, "10m", PER_DOMAIN, "a count of blocks is forgotten if none is added for this long"),
    COOLDOWN_SCOPE("cooldown.scope", Kind.WORD, "key", PER_DOMAIN,
            "global: blocks of all hosts count together, and all hosts are in cooldown", "key,global"),
    RETRY_AFTER_MAX("retry-after.max", Kind.ZERO_DURATION, "1h", PER_DOMAIN,
            "if a site asks for a longer wait, requests are rejected; 0 ignores what it asks"),
    LEARN("learn", Kind.BOOLEAN, "true", PER_DOMAIN, "hold the rate under what the site tolerated; rate=auto always learns"),
    ESCALATION("escalation", Kind.RUNGS, "cooldown", PER_DOMAIN, "what each trip in a row brings; the last entry repeats"),
    ESCALATION_ON("escalation.on", Kind.WORDS, "block", PER_DOMAIN,
            "what counts towards a trip: blocks, or rejections for a limit", "block,limit"),
    ESCALATION_MEMORY("escalation.memory", Kind.DURATION, "24h", PER_DOMAIN,
            "a host without a trip for this long starts from the first entry"),
    ROBOTS("robots", Kind.WORD, "off", PER_DOMAIN,
            "observe: the Crawl-delay of a /robots.txt that the application itself fetches lowers the rate", "off,observe"),
    DETECT_BODY("detect.body", Kind.ZERO_SIZE, "512KB", PER_DOMAIN | OF_REQUEST,
            "how much of a body is looked at; 0: only status and headers"),
    DETECT_STATUS("detect.status", Kind.STATUSES, "403,418,420,429,509,999", PER_DOMAIN | OF_REQUEST,
            "statuses that are blocks by themselves"),
    DETECT_BROWSER("detect.browser", Kind.BOOLEAN, "false", PER_DOMAIN | OF_REQUEST, "asks browsers for each page that they load"),
    DETECT_IGNORE("detect.ignore", Kind.IGNORED, "none", PER_DOMAIN | OF_REQUEST, "blocks that never count"),
    USER_AGENT_CHECK("user-agent.check", Kind.WORD, "warn", PER_DOMAIN | OF_REQUEST,
            "what happens to user agents that many sites refuse", "warn,reject,off"),
    MAX_KEYS("max-keys", Kind.COUNT, "10000", 0, "how many keys are remembered"),
    KEY_IDLE("key-idle", Kind.DURATION, "24h", 0, "when an idle key is forgotten"),
    SWEEP("sweep", Kind.DURATION, "5m", 0, "how often Tempolimit looks for idle keys"),
    STATE("state", Kind.NAMED_FILE, "none", RESTART, "a file that keeps state over restarts"),
    REDIS("redis", Kind.REDIS, "none", SECRET | RESTART,
            "the Redis by which several JVMs share their limits; database 2 if the URI names none"),
    REDIS_PASSWORD("redis.password", Kind.PASSWORD, "none", SECRET | RESTART, "the password of Redis, instead of one in the URI"),
    REDIS_CLUSTER("redis.cluster", Kind.BOOLEAN, "false", RESTART, "true: Redis is a cluster"),
    REDIS_PREFIX("redis.prefix", Kind.PREFIX, "tempolimit", RESTART, "how all keys in Redis begin"),
    REDIS_TIMEOUT("redis.timeout", Kind.DURATION, "50ms", RESTART, "how long a request waits for an answer of Redis"),
    REDIS_START("redis.start", Kind.ZERO_DURATION, "5s", RESTART,
            "how long requests wait for the first answer of Redis; counts from the first question"),
    REDIS_FALLBACK("redis.fallback", Kind.WORD, "share", RESTART,
            "what each JVM takes while Redis does not answer: its share of the rate, all of it, or nothing",
            "share,local,reject"),
    REDIS_WORKERS("redis.workers", Kind.COUNT, "none", RESTART, "how many JVMs share; holds until they have been counted"),
    REDIS_LEASE("redis.lease", Kind.LEASE, "auto", RESTART, "how many tokens one call fetches for a key in demand"),
    EVENTS("events", Kind.NAMED_FILE, "none", RESTART, "a file, stdout or stderr, which gets each event as a line of JSON"),
    EVENTS_MAX_SIZE("events.max-size", Kind.SIZE, "100MB", RESTART, "at this size the file is renamed; one old file is kept"),
    LOG_LEVEL("log.level", Kind.WORD, "info", RESTART, "the log has lines of this level and of those above it",
            "trace,debug,info,warn,error,off"),
    LOG_FILE("log.file", Kind.NAMED_FILE, "stderr", RESTART, "where the log goes"),
    LOG_MAX_SIZE("log.max-size", Kind.SIZE, "100MB", RESTART, "at this size the file is renamed; one old file is kept"),
    ADMIN_PORT("admin.port", Kind.PORT, "off", RESTART, "where the status page, /stats.json and /metrics are served"),
    ADMIN_HOST("admin.host", Kind.ADDRESS, "127.0.0.1", RESTART,
            "the address of that port; beyond this machine it needs admin.token"),
    ADMIN_TOKEN("admin.token", Kind.SECRET, "none", SECRET | RESTART,
            "what the page's actions need; beyond this machine every request needs it"),
    ADMIN_ALLOWED_HOSTS("admin.allowed-hosts", Kind.NAMES, "none", RESTART,
            "more host names that the page answers to, such as the name of a proxy"),
    METRICS_KEYS("metrics.keys", Kind.ZERO_COUNT, "100", RESTART,
            "how many keys have series of their own in /metrics; the others are summed"),
    REPORT("report", Kind.REPORT, "true", 0,
            "a summary on stderr when the JVM ends; a file gets all of it, too: a page if its name ends with .html, else JSON"),
    CLIENTS("clients", Kind.CLIENTS, "all", RESTART,
            "the HTTP clients to weave. -okhttp leaves one out. -watch leaves out the look at what all others send, which"
                    + " costs less than a microsecond a request. unknown paces those, too, where a thread may block",
            "http-url-connection,jdk-http-client,jsoup,okhttp,apache4,apache4-async,apache5,vertx,selenium,playwright,"
                    + "jetty,reactor-netty,async-http-client,okhttp2,commons-httpclient,nutch,armeria,ktor-cio,aws-netty,"
                    + "helidon,pekko,akka,jvppeteer,watch,unknown");

    /** Bits of the table's fourth column. */
    interface Trait {
        /** May stand per domain. */
        int PER_DOMAIN = 1;
        /** A change of it in the file holds from the next start. Keys without this one are live. */
        int RESTART = 2;
        /** Its value is never shown. */
        int SECRET = 4;
        /** It is about a request and not about its key: where hosts share a key, that of the request's own host holds. */
        int OF_REQUEST = 8;
    }

    /** {@code values()} copies. */
    private static final SettingKey[] ALL = values();
    static final int COUNT = ALL.length;

    final String key;
    final Kind kind;
    final String byDefault;
    final boolean perDomain;
    final boolean restart;
    final boolean secret;
    final boolean ofRequest;
    final String meaning;
    private final String words;

    SettingKey(String key, Kind kind, String byDefault, int traits, String meaning) {
        this(key, kind, byDefault, traits, meaning, "");
    }

    SettingKey(String key, Kind kind, String byDefault, int traits, String meaning, String words) {
        this.key = key;
        this.kind = kind;
        this.byDefault = byDefault;
        this.perDomain = (traits & PER_DOMAIN) != 0;
        this.restart = (traits & RESTART) != 0;
        this.secret = (traits & SECRET) != 0;
        this.ofRequest = (traits & OF_REQUEST) != 0;
        this.meaning = meaning;
        this.words = words;
    }

    static SettingKey at(int ordinal) {
        return ALL[ordinal];
    }

    /** @return null if there is no such key */
    static SettingKey named(String name) {
        for (SettingKey k : ALL) {
            if (k.key.equals(name)) {
                return k;
            }
        }
        return null;
    }

    /** The longest key that ends {@code name} after a dot: {@code rate} for {@code example.com.rate}; null if none does. */
    static SettingKey ending(String name) {
        SettingKey found = null;
        for (SettingKey k : ALL) {
            int dot = name.length() - k.key.length() - 1;
            if (dot >= 0 && name.charAt(dot) == '.' && name.endsWith(k.key) && (found == null || k.key.length() > found.key.length())) {
                found = k;
            }
        }
        return found;
    }

    /** @param name what follows {@code TEMPOLIMIT_}; null if there is no such key */
    static SettingKey ofEnvironment(String name) {
        for (SettingKey k : ALL) {
            if (k.environmentName().equals(name)) {
                return k;
            }
        }
        return null;
    }

    /** @return null if there is no such key */
    static SettingKey ofJson(String name) {
        for (SettingKey k : ALL) {
            if (k.jsonName().equals(name) || k.underscored().equals(name)) {
                return k;
            }
        }
        return null;
    }

    String environmentName() {
        String s = underscored();
        char[] c = new char[s.length()];
        for (int i = 0; i < c.length; i++) {
            char x = s.charAt(i);
            c[i] = x >= 'a' && x <= 'z' ? (char) (x - 32) : x; // by hand: toUpperCase() loads classes for the default locale
        }
        return new String(c);
    }

    /** The name that the JSON file's first form has; the file takes {@link #underscored} as well. */
    String jsonName() {
        return this == RATE ? "requests_per_second" : this == BURST ? "burst_capacity" : underscored();
    }

    /** The name that it has in the JSON file. */
    String underscored() {
        return key.replace('.', '_').replace('-', '_');
    }

    /** The key without which this one has no effect; null if there is none. */
    SettingKey needs() {
        return key.startsWith("redis.") ? REDIS : key.startsWith("admin.") && this != ADMIN_PORT || this == METRICS_KEYS ? ADMIN_PORT
                : this == EVENTS_MAX_SIZE ? EVENTS : this == LOG_MAX_SIZE ? LOG_FILE : null;
    }

    /** The words that are values of this key, where words are. */
    String[] words() {
        return split(words, ',');
    }

    /** What may be written, for messages. */
    String allowed() {
        String allowed = kind.allowed + words.replace(",", ", ");
        return isNothing(byDefault) && !secret ? byDefault + ", or " + allowed : allowed;
    }

    /** What stands for "nothing" or "everything" in the default column is a value too, so that a stronger source can say it. */
    boolean isNothing(String text) {
        return text.equals(byDefault) && (text.equals("none") || text.equals("all") || text.equals("stderr")
                || text.equals("random") || text.equals("off") && kind == Kind.PORT) && kind != Kind.CLIENTS;
    }

    /** Whether this value of it is the path of a file. */
    boolean isFile(String text) {
        boolean file = kind == Kind.FILE || kind == Kind.NAMED_FILE || kind == Kind.REPORT && !text.equals("true") && !text.equals("false");
        return file && !text.isEmpty() && !isNothing(text) && !text.equals("stdout") && !text.equals("stderr");
    }

    /** Without regular expressions; parts are trimmed; an empty text has no parts, an empty part stays. */
    static String[] split(String text, char separator) {
        if (text.isEmpty()) {
            return new String[0];
        }
        int n = 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == separator) {
                n++;
            }
        }
        String[] parts = new String[n];
        int from = 0;
        for (int i = 0; i < n; i++) {
            int to = text.indexOf(separator, from);
            parts[i] = text.substring(from, to < 0 ? text.length() : to).trim();
            from = to + 1;
        }
        return parts;
    }
}
