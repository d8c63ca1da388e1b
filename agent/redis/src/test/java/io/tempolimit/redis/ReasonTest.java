package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What is said of failures quotes nothing of an address. */
class ReasonTest {
    private static String error(String message) {
        return Transport.reason(new CompletionException(new RedisConnectionException("Unable to connect to redis://:hunter2@h", new RedisCommandExecutionException(message))));
    }

    @Test
    void theServersCodeAndNothingElse() {
        assertEquals("READONLY", error("READONLY You can't write against a read only replica."));
        assertEquals("READONLY", error("ERR Error running script (call to f_1): @user_script:97: @user_script: 97: -READONLY You can't write against a read only replica."));
        assertEquals("OOM", error("OOM command not allowed when used memory > 'maxmemory'. script: 12ab, on @user_script:1."));
        assertEquals("an error of the server", error("ERR something of user hunter2"));
        assertEquals("no answer in time", Transport.reason(new RedisCommandTimeoutException("redis://:hunter2@h")));
        assertEquals("unknown host", Transport.reason(new RedisConnectionException("x", new UnknownHostException("hunter2"))));
        assertEquals("not connected", Transport.reason(new RuntimeException("hunter2")));
        assertEquals("not connected", Transport.reason(null));
    }
}
