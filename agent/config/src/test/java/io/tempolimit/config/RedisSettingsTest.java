package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be said of Redis, and what is answered to the rest, without a word of it. */
class RedisSettingsTest {
    private static final long MILLI = 1_000_000L;

    @Test
    void withoutRedisThereIsNoFleet() throws BadSettings {
        assertNull(Given.nothing().load().fleet());
        assertNull(Given.environment("TEMPOLIMIT_REDIS", "redis://h").withArguments("redis=none").load().fleet());
    }

    @Test
    void theDefaultsAreTheContracts() throws BadSettings {
        FleetSettings f = Given.arguments("redis=redis://10.0.0.5").load().fleet();
        assertEquals("redis://10.0.0.5", f.uri());
        assertNull(f.password());
        assertFalse(f.cluster());
        assertEquals("tempolimit", f.prefix());
        assertEquals(50 * MILLI, f.timeout());
        assertEquals(5_000 * MILLI, f.start());
        assertEquals(FleetSettings.Fallback.SHARE, f.fallback());
        assertEquals(FleetSettings.UNKNOWN, f.workers());
        assertEquals(FleetSettings.AUTO, f.lease());
    }

    @Test
    void allOfThemAreRead(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "p w\n");
        FleetSettings f = Given.arguments("redis=rediss://me@h:6380/3,redis.password=@" + secret
                + ",redis.cluster=true,redis.prefix=shop:eu,redis.timeout=20ms,redis.start=0,"
                + "redis.fallback=reject,redis.workers=7,redis.lease=off").load().fleet();
        assertEquals("rediss://me@h:6380/3", f.uri());
        assertEquals("p w", f.password());
        assertTrue(f.cluster());
        assertEquals("shop:eu", f.prefix());
        assertEquals(20 * MILLI, f.timeout());
        assertEquals(0, f.start());
        assertEquals(FleetSettings.Fallback.REJECT, f.fallback());
        assertEquals(7, f.workers());
        assertEquals(FleetSettings.OFF, f.lease());
        assertEquals(12, Given.arguments("redis=redis://h,redis.lease=12").load().fleet().lease());
        Path uri = Files.writeString(folder.resolve("uri"), "redis://:hunter2@h\n");
        assertEquals("redis://:hunter2@h", Given.arguments("redis=@" + uri).load().fleet().uri());
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://h", "redis://h/", "redis://h:6379/0", "redis://u:p%40%2F%23@h", "redis://:p@h:1",
        "redis://secret@h", "redis://u:p@ss@h", "redis://[::1]:6379", "redis://my_redis",
        "redis://my_redis:6379/2", "redis://u:p@my_redis:6379", "rediss://h?verifyPeer=CA",
        "redis://h?database=4&clientName=shop", "redis-sentinel://a#main", "redis-sentinel://u:p@a:1,b_2:2/4#main",
        "redis-sentinel://a:1,b?sentinelMasterId=main"})
    void good(String uri) throws BadSettings {
        assertEquals(uri, Given.environment("TEMPOLIMIT_REDIS", uri).load().fleet().uri());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "10.0.0.5                       | not a URI of Redis, which begins with redis:// or rediss://, as in redis://10.0.0.5:6379",
        "http://hunter2@h               | not a URI of Redis",
        "redis://                       | no host",
        "redis:///2                     | no host",
        "redis://u:hunter2@             | no",
        "redis://u:hunter2@h:0          | the port is not a whole number from 1 to 65535",
        "redis://u:hunter2@h:65536      | the port is not",
        "redis://u:hunter2@h:           | the port is not",
        "redis://u:hunter2@h:1:2        | the port is not",
        "redis://u:hunter2@h/x          | the database is not a whole number",
        "redis://u:hunter2@h/-1         | the database is not",
        "redis://u:hunter2@h?database=  | the database is not",
        "redis://u:hunter2#x@h          | has a # before its @; in a password that is written %23, or "
                + "redis.password=@FILE says the password",
        "redis://hunter2#x@h            | has a # before its @; in a password that is written %23",
        "redis://u:1/hunter2@h          | has a / before its @; in a password that is written %2F",
        "redis://hunter2/x@h            | has a / before its @; in a password that is written %2F",
        "redis://u:hunter2?x@h          | has a ? before its @; in a password that is written %3F",
        "redis://h#main                 | goes on with a # after its host, which only redis-sentinel:// does",
        "redis://u:hunter2^@h           | not a URI;",
        "redis://u:hunter2%zz@h         | not a URI;",
        "redis://u:hunter2@h,i          | not a host;",
        "redis://u:hunter2@[::          | not a URI;",
        "redis://u:hunter2@h?timeout=1s | an unknown parameter;",
        "rediss://u:hunter2@h?verifyPeer=no | verifyPeer is",
        "redis-sentinel://u:hunter2@a,b | no #master",
        "redis-sentinel://a,,b#m        | no host",
        "redis-sentinel://a:x#m         | the port is not"})
    void badAndNothingOfItIsSaid(String uri, String problem) {
        List<String> faults = Given.environment("TEMPOLIMIT_REDIS", uri).faults();
        assertEquals(1, faults.size(), faults.toString());
        assertTrue(faults.get(0).startsWith("environment: TEMPOLIMIT_REDIS=***: " + problem), faults.get(0));
        assertTrue(faults.get(0).contains("(allowed: redis://"), faults.get(0));
        assertFalse(faults.get(0).contains("hunter2"), faults.get(0));
    }

    /** Where a comma would end the argument. */
    @Test
    void sentinelsInAgentArguments() throws BadSettings {
        assertEquals("redis-sentinel://u:a;b@h:1,i:2#main",
                Given.arguments("redis=redis-sentinel://u:a;b@h:1;i:2#main").load().fleet().uri());
    }

    @Test
    void aClusterHasNoSentinels() {
        assertEquals(List.of("agent arguments: redis.cluster=true: a cluster has no sentinels (allowed: "
                + "redis.cluster=false, or redis:// and one of the cluster's nodes)"),
                Given.arguments("redis=redis-sentinel://a#m,redis.cluster=true").faults());
    }

    @Test
    void accountsHaveTheSameNamesInAllWorkers() throws BadSettings {
        List<String> faults = Given.arguments("redis=redis://h,key=host;header:Authorization").faults();
        assertEquals(1, faults.size(), faults.toString());
        assertTrue(faults.get(0).contains("needs account.secret with redis"), faults.get(0));
        assertTrue(Given.arguments("redis=redis://h,key=host;header:Authorization,account.secret=x").faults().isEmpty());
        assertTrue(Given.arguments("redis=redis://h,key=host;port").faults().isEmpty());
        assertTrue(Given.arguments("key=host;header:Authorization").faults().isEmpty(), "alone they may be random");
    }

    @Test
    void whatHasNoEffectIsSaid() throws BadSettings {
        assertEquals(List.of("redis.timeout has no effect without redis"), Given.arguments("redis.timeout=1s").load().warnings());
        assertEquals(List.of("state has no effect beside redis, which keeps what is known over restarts"),
                Given.arguments("redis=redis://h,state=s.json").load().warnings());
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis.prefix=a{b}", "redis.prefix=a b", "redis.lease=0", "redis.lease=on",
        "redis.lease=1001", "redis.fallback=wait", "redis.timeout=0", "redis.workers=0", "redis.cluster=yes",
        "redis.password="})
    void badValues(String argument) {
        assertEquals(1, Given.arguments("redis=redis://h," + argument).faults().size());
    }

    @Test
    void noneOfThemChangesWhileItRuns() throws BadSettings {
        Settings before = Given.arguments("redis=redis://h").load();
        Settings after = before.with("redis=redis://i,redis.workers=3");
        assertEquals("redis://h", after.fleet().uri());
        assertEquals(List.of("redis", "redis.workers"), after.restartNeeded());
    }

    /** It said "a file that cannot be read", and neither which nor why. */
    @Test
    void aFileThatIsNotThereIsNamedWithTheCause(@TempDir Path folder) throws Exception {
        assertEquals(List.of("agent arguments: redis=***: its file /nope/uri: no such file: /nope/uri (allowed: "
                + Kind.REDIS.allowed + ")"),
                Given.arguments("redis=@/nope/uri").faults());
        assertTrue(Given.arguments("redis=@" + folder).faults().get(0).contains("its file " + folder + ": is a directory"));
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        assertTrue(Given.arguments("redis=@" + empty).faults().get(0).contains("its file " + empty + ": is empty"));
    }
}
