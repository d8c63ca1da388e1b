package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void statuses() {
        assertEquals(Verdict.FORBIDDEN, Verdict.of(403));
        assertEquals(Verdict.RATE_LIMITED, Verdict.of(429));
        for (int status : new int[] {200, 201, 204, 206, 299, 304, 404, 410}) {
            assertEquals(Verdict.SUCCESS, Verdict.of(status), "" + status);
        }
        for (int status : new int[] {300, 301, 302, 307, 400, 401, 402, 405, 409, 451, 499}) {
            assertEquals(Verdict.NEUTRAL, Verdict.of(status), "" + status);
        }
        for (int status : new int[] {500, 502, 503, 520, 529, 599}) {
            assertEquals(Verdict.SERVER_OVERLOAD, Verdict.of(status), "" + status);
        }
    }

    @Test
    void failures() {
        assertEquals(Verdict.TIMEOUT, Verdict.of(new SocketTimeoutException()));
        assertEquals(Verdict.TIMEOUT, Verdict.of(new RuntimeException(new InterruptedIOException("timeout"))));
        assertEquals(Verdict.CONNECTION_ERROR, Verdict.of(new ConnectException()));
        assertEquals(Verdict.CONNECTION_ERROR, Verdict.of((Throwable) null));
        assertEquals(Verdict.CONNECTION_ERROR, Verdict.of(new RuntimeException(new IOException("reset"))));
    }

    @Test
    void causesThatGoInACircle() {
        Exception a = new Exception();
        Exception b = new Exception(a);
        a.initCause(b);
        assertEquals(Verdict.CONNECTION_ERROR, assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Verdict.of(a)));
    }
}
