package io.tempolimit.redis;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import redis.embedded.core.ExecutableProvider;

/**
 * The Redis servers that tests can start: one that comes with a library, and those that {@code TEST_REDIS} names
 * ({@code name=binary,...}).
 */
public final class Servers {
    public static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        try {
            ALL.put("redis-6.2", copied(ExecutableProvider.newJarResourceProvider().get()).getPath());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        String more = System.getenv("TEST_REDIS");
        for (String each : more == null ? new String[0] : more.split(",")) {
            int is = each.indexOf('=');
            if (is > 0 && new File(each.substring(is + 1)).canExecute()) {
                ALL.put(each.substring(0, is), each.substring(is + 1));
            }
        }
        if (ALL.size() == 1) {
            System.out.println("* Redis 7, Redis 8 and Valkey 9 are not tested: TEST_REDIS names none");
        }
    }

    private Servers() {
    }

    /**
     * The same program in a file that this JVM has never had open for writing. A process that another test starts at that moment has the
     * open file too until it closes what it inherits, and Linux starts no program from a file that is open for writing ("Text file busy").
     */
    static File copied(File binary) throws IOException, InterruptedException {
        File copy = new File(binary.getAbsoluteFile().getParentFile(), "redis-server");
        if (new ProcessBuilder("cp", "-p", binary.getPath(), copy.getPath()).inheritIO().start().waitFor() != 0) {
            throw new IOException("no copy of " + binary);
        }
        copy.deleteOnExit();
        return copy;
    }

    /** The one that is always there. */
    public static String first() {
        return ALL.values().iterator().next();
    }
}
