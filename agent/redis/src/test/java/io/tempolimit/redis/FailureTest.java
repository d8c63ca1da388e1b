package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What is said of failures quotes nothing of an address, and a refusal names the setting. */
class FailureTest {
    private static final String[] REFUSALS = {
        "WRONGPASS invalid username-password pair or user is disabled.", "NOAUTH Authentication required.",
        "NOPERM this user has no permissions to run the 'subscribe' command",
        "ERR Error running script (call to f_1): @user_script:9: -NOPERM this user ",
        "ERR Error running script (call to f_1): @user_script:9: @user_script: 9: The user executing the script can't "
                + "run this command or subcommand",
        "ERR ACL failure in script: User hunter2 has no permissions to run the 'set' command script: 12ab",
        "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?",
        "ERR Client sent AUTH, but no password is set",
    };

    private static Failure error(String message) {
        return Failure.of(new CompletionException(
                new RedisConnectionException("Unable to connect to redis://:hunter2@h", new RedisCommandExecutionException(message))));
    }

    private static Failure thrown(Exception cause) {
        return Failure.of(new RedisConnectionException("Unable to connect to redis://:hunter2@h", cause));
    }

    @Test
    void theServersCodeAndNothingElseOfItsMessage() {
        String readonly = "it is a replica that takes no writes: READONLY";
        assertEquals(readonly, error("READONLY You can't write against a read only replica.").what);
        assertEquals(readonly, error("ERR Error running script (call to f_1): @user_script:97: @user_script: 97: "
                + "-READONLY You can't write against a read only replica.").what);
        assertEquals("its memory is full: OOM",
                error("OOM command not allowed when used memory > 'maxmemory'. script: 12ab, on @user_script:1.").what);
        assertEquals("it has as many clients as it takes: maxclients", error("ERR max number of clients reached").what);
        assertEquals("UNKNOWN", error("UNKNOWN hunter2").what);
        assertEquals("an error of the server", error("ERR something of user hunter2").what);
        assertEquals("no answer in time", Failure.of(new RedisCommandTimeoutException("redis://:hunter2@h")).what);
        assertEquals("unknown host", thrown(new UnknownHostException("hunter2")).what);
        assertEquals("not connected", Failure.of(new RuntimeException("hunter2")).what);
        assertEquals("not connected", Failure.of(null).what);
    }

    @Test
    void whatMendsByItselfIsNoRefusal() {
        for (String message : new String[] {"READONLY x", "OOM x", "LOADING x", "MASTERDOWN x", "BUSY x", "NOSCRIPT x",
                "CLUSTERDOWN x", "ERR max number of clients reached"}) {
            assertFalse(error(message).refusal(), message);
        }
        assertFalse(Failure.LATE.refusal());
        assertFalse(Failure.NOT_CONNECTED.refusal());
    }

    @Test
    void aRefusalNamesTheSettingAndNoSecret() {
        for (String message : REFUSALS) {
            Failure f = error(message);
            assertTrue(f.refusal(), message);
            assertTrue(f.cure.contains("redis.password=") || f.cure.contains("redis="), f.cure);
            assertFalse((f.what + f.cure).contains("hunter2"), f.what + f.cure);
        }
        assertEquals("NOPERM", error(REFUSALS[3]).what);
        assertEquals("NOPERM", error(REFUSALS[4]).what);
        assertEquals("NOPERM", error(REFUSALS[5]).what);
        assertTrue(thrown(new UnknownHostException("hunter2")).cure.contains("redis="));
        assertTrue(thrown(new SSLException("hunter2", new NotSslRecordException("hunter2"))).cure.contains("speaks no TLS"));
        assertTrue(thrown(new SSLHandshakeException("hunter2")).refusal());
        Failure untrusted = thrown((Exception) new SSLHandshakeException("hunter2").initCause(new CertificateException("hunter2")));
        assertEquals("its certificate is not trusted", untrusted.what);
        assertTrue(untrusted.cure.contains("verifyPeer=NONE"));
    }
}
