package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressTest {
    private static int database(String uri) {
        return Address.parse(uri, null, false).uri.getDatabase();
    }

    @Test
    void databaseTwoWhereNoneIsNamed() {
        assertEquals(2, database("redis://10.0.0.5"));
        assertEquals(2, database("redis://10.0.0.5/"));
        assertEquals(2, database("redis://10.0.0.5:6380/?verifyPeer=NONE"));
        assertEquals(2, database("redis://user:p%2Fw@10.0.0.5:6380"));
        assertEquals(0, database("redis://10.0.0.5/0"));
        assertEquals(7, database("rediss://10.0.0.5/7?verifyPeer=CA"));
        assertEquals(3, database("redis://10.0.0.5?database=3"));
        assertEquals(2, database("redis-sentinel://a:1,b:2#main"));
        assertEquals(4, database("redis-sentinel://a:1,b:2/4#main"));
        assertEquals(0, Address.parse("redis://10.0.0.5/7", null, true).uri.getDatabase(), "a cluster has one");
    }

    /** The start has looked at it without lettuce. */
    @Test
    void whatTheSettingsLetThroughIsUnderstood() throws Exception {
        String[] uris = {"redis://h", "redis://h/", "redis://h:6379/0", "redis://u:p%40%2F%23@h", "redis://:p@h:1",
                "redis://secret@h", "redis://u:p@ss@h", "redis://[::1]:6379", "redis://my_redis",
            "redis://my_redis:6379/2", "redis://u:p@my_redis:65535", "rediss://h?verifyPeer=CA",
            "rediss://h?verifyPeer=NONE", "rediss://h?verifyPeer=FULL", "redis://h?database=4&clientName=shop",
            "redis://h?clientName=",
            "redis-sentinel://a#main", "redis-sentinel://u:p@a:1,b_2:2/4#main",
            "redis-sentinel://a:1,b?sentinelMasterId=main", "redis-sentinel://[::1]:26379#m", "redis://h/99999",
            "redis://@h", "redis://:@h"};
        for (String uri : uris) {
            Settings settings = Settings.load(new Sources(null, Collections.singletonMap("tempolimit.redis", uri), Collections.emptyMap()));
            Address address = Address.parse(settings.fleet().uri(), null, false);
            assertTrue(address.uri.getHost() != null ? address.uri.getHost().indexOf('@') < 0 : !address.uri.getSentinels().isEmpty(), uri);
        }
    }

    @Test
    void theHostOfAContainer() {
        RedisURI uri = Address.parse("redis://u:p@my_redis:6380/2", null, false).uri;
        assertEquals("my_redis 6380", uri.getHost() + " " + uri.getPort());
        uri = Address.parse("redis://my_redis", null, false).uri;
        assertEquals("my_redis 6379", uri.getHost() + " " + uri.getPort());
        uri = Address.parse("redis://u:p@ss@h:6380", null, false).uri;
        assertEquals("h 6380", uri.getHost() + " " + uri.getPort());
        assertEquals("p@ss", new String(credentials("redis://u:p@ss@h:6380", null).getPassword()));
    }

    /** Behind sentinels, a server with one database only was never reached: there was no URI without a database. */
    @Test
    void sentinelsAreKeptWithoutADatabase() {
        RedisURI uri = Address.parse("redis-sentinel://u:p@a:1,b:2/4#main", "secret", false).withoutDatabase().uri;
        assertEquals("0 main 2 b 2", uri.getDatabase() + " " + uri.getSentinelMasterId() + " " + uri.getSentinels().size() + " "
                + uri.getSentinels().get(1).getHost() + " " + uri.getSentinels().get(1).getPort());
        assertEquals("secret", new String(uri.getCredentialsProvider().resolveCredentials().block().getPassword()));
    }

    /** A connection was given out before it could be used: a handshake with a password went on in a thread of the common pool. */
    @Test
    void aPasswordKeepsTheHandshakeOnItsThread() {
        String[][] each = {{"redis://h", null}, {"redis://u:p@h", null}, {"redis://:p@h", null}, {"redis://h", "p"}, {"redis://u@h", "p"},
            {"redis-sentinel://u:p@a:1,b:2#main", null}, {"redis-sentinel://a:1,b:2#main", "p"}};
        for (String[] one : each) {
            for (boolean without : new boolean[] {false, true}) {
                Address address = Address.parse(one[0], one[1], false);
                RedisURI uri = (without ? address.withoutDatabase() : address).uri;
                List<RedisURI> all = new ArrayList<>(uri.getSentinels());
                all.add(uri);
                for (RedisURI any : all) {
                    assertTrue(any.getCredentialsProvider()
                            instanceof RedisCredentialsProvider.ImmediateRedisCredentialsProvider, one[0] + " " + one[1]);
                }
            }
        }
    }

    private static RedisCredentials credentials(String uri, String password) {
        return Address.parse(uri, password, false).uri.getCredentialsProvider().resolveCredentials().block();
    }

    @Test
    void whoWeAre() {
        RedisCredentials c = credentials("redis://me:se%40cret@h", null);
        assertEquals("me", c.getUsername());
        assertEquals("se@cret", new String(c.getPassword()));
        c = credentials("redis://me@h", "other");
        assertEquals("me", c.getUsername());
        assertEquals("other", new String(c.getPassword()));
        c = credentials("redis://h", "other");
        assertNull(c.getUsername());
        assertEquals("other", new String(c.getPassword()));
        c = credentials("redis://me:old@h/3", "new");
        assertEquals("me", c.getUsername());
        assertEquals("new", new String(c.getPassword()));
    }

    @Test
    void nothingOfItIsEverQuoted() {
        String[] wrong = {"http://me:hunter2@h", "redis://me:hunter2@h:99999999", "redis://me:hunter2@h/x",
                "redis://me:hunter2@[::", "redis://me:hunter2@h^/",
            "redis-sentinel://me:hunter2@h", "redis://", "hunter2", "redis-sentinel://:hunter2@", "redis://me:hunter2%zz@h"};
        for (String uri : wrong) {
            try {
                Address.parse(uri, null, false);
            } catch (IllegalArgumentException e) {
                for (Throwable t = e; t != null; t = t.getCause()) {
                    assertFalse(String.valueOf(t).contains("hunter2"), uri + ": " + t);
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Address.parse("http://h", null, false));
        assertThrows(IllegalArgumentException.class, () -> Address.parse("redis://h:99999999", null, false));
        assertThrows(IllegalArgumentException.class, () -> Address.parse("redis-sentinel://h", null, false), "it names no master");
        assertThrows(IllegalArgumentException.class, () -> Address.parse("redis-sentinel://h#m", null, true));
        assertTrue(Address.parse("redis://me:hunter2@h", null, false).toString().indexOf("hunter2") < 0);
    }
}
