package io.tempolimit.redis;

import io.tempolimit.core.SharedStore;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A Redis whose time is turned: what is stored is made older, and lives as much shorter. */
final class RedisStore extends SharedStore {
    private static final long SECOND = 1_000_000_000L;
    private static final String TURN = String.join("\n",
            "if ARGV[1] ~= '' then redis.call('SELECT', ARGV[1]) end",
            "local by, shorter = tonumber(ARGV[3]), tonumber(ARGV[4])",
            "for _, key in ipairs(redis.call('KEYS', ARGV[2] .. '*')) do",
            "  local left, what = redis.call('PTTL', key) - shorter, string.match(key, '[a-z]+$')",
            "  if what == 'workers' then -- they live by their own time",
            "  elseif left <= 0 then redis.call('DEL', key)",
            "  else",
            "    local text = redis.call('GET', key)",
            "    if what == 'bucket' then",
            "      local changed, full, rest = string.match(text, '^v1 (%S+) (%S+)(.*)$')",
            "      text = string.format('v1 %.0f %.17g', changed - by, full - by)",
            "        .. string.gsub(rest, '(%-?%d+)x', function(time) return string.format('%.0fx', time - by) end)",
            "    elseif what == 'incident' then",
            "      local fields = {}",
            "      for field in string.gmatch(text, '%S+') do table.insert(fields, field) end",
            "      for _, i in ipairs({3, 6, 8, 11, 13, 16}) do fields[i] = string.format('%.0f', fields[i] - by) end",
            "      text = table.concat(fields, ' ')",
            "    end",
            "    redis.call('SET', key, text, 'PX', left)",
            "  end",
            "end");

    private final List<Server> nodes;
    private final boolean cluster;
    private final String prefix;
    private final long begun = System.nanoTime();
    private final List<Fleet> fleets = new ArrayList<>();
    /** The workers' clocks are behind by so much. */
    private volatile long behind;

    /** @param prefix of this test alone, as servers are shared */
    RedisStore(List<Server> nodes, String prefix) {
        this.nodes = nodes;
        this.cluster = nodes.size() > 1;
        this.prefix = prefix;
    }

    @Override
    public Fleet join(Fleet.Listener listener) {
        Fleet fleet = RedisFleet.start(new FleetSettings(nodes.get(0).uri(), null, cluster).prefix(prefix)
                .timeout(5 * SECOND).start(60 * SECOND), listener, this::nanos);
        fleets.add(fleet);
        return fleet;
    }

    @Override
    public long nanos() {
        return System.nanoTime() - behind;
    }

    @Override
    public long elapsed() {
        return System.nanoTime() - begun;
    }

    @Override
    public void pass(long nanos) throws IOException {
        turn(nanos / 1000, nanos / 1_000_000);
    }

    @Override
    public void setBack(long nanos) throws IOException {
        turn(-nanos / 1000, 0);
    }

    /** Nobody can set a server's clock. So all that is stored is older, and the workers' clocks are behind. */
    @Override
    public void setForward(long nanos) throws IOException {
        behind += nanos;
        pass(nanos);
    }

    private void turn(long micros, long shorterMillis) throws IOException {
        for (Server node : nodes) {
            String answer = node.ask("EVAL", TURN, "0", cluster ? "" : "2", prefix + ":", Long.toString(micros),
                    Long.toString(shorterMillis));
            if (answer != null) {
                throw new IOException(answer);
            }
        }
    }

    @Override
    public void forget() throws IOException {
        turn(0, Long.MAX_VALUE / 1_000_000);
    }

    @Override
    public Rollback replica() throws IOException {
        copy("bucket", "was");
        return () -> copy("was", "bucket");
    }

    private void copy(String from, String to) throws IOException {
        String copy = "if ARGV[1] ~= '' then redis.call('SELECT', ARGV[1]) end for _, key in ipairs(redis.call('KEYS', "
                + "ARGV[2] .. '*}:' .. ARGV[3])) do redis.call('SET', string.sub(key, 1, -1 - #ARGV[3]) .. ARGV[4], "
                + "redis.call('GET', key)) end";
        for (Server node : nodes) {
            String answer = node.ask("EVAL", copy, "0", cluster ? "" : "2", prefix + ":", from, to);
            if (answer != null) {
                throw new IOException(answer);
            }
        }
    }

    @Override
    public void later() throws IOException {
        String later = "if ARGV[1] ~= '' then redis.call('SELECT', ARGV[1]) end for _, key in ipairs(redis.call('KEYS', "
                + "ARGV[2] .. '*}:*')) do"
                + " redis.call('SET', key, (string.gsub(redis.call('GET', key), '^v1 ', 'v2 one more ')), 'KEEPTTL') end";
        for (Server node : nodes) {
            String answer = node.ask("EVAL", later, "0", cluster ? "" : "2", prefix + ":");
            if (answer != null) {
                throw new IOException(answer);
            }
        }
    }

    @Override
    public int members() throws IOException {
        for (Server node : nodes) {
            String members = cluster ? node.ask("ZCARD", prefix + ":workers")
                    : node.ask("EVAL", "redis.call('SELECT', 2) return redis.call('ZCARD', ARGV[1])", "0", prefix + ":workers");
            if (!members.startsWith("-MOVED")) {
                return Integer.parseInt(members);
            }
        }
        throw new IOException("no node has it");
    }

    @Override
    public void await(BooleanSupplier condition, String what) {
        Server.await(condition, what);
    }

    @Override
    public void close() {
        fleets.forEach(Fleet::close);
    }
}
