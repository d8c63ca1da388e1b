package io.tempolimit.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Why Redis gave no answer, in words of ours. Messages of lettuce's are not quoted: they name addresses, and some of
 * them credentials. Immutable.
 *
 * <p>Most failures mend by themselves. A refusal does not: somebody has to change a setting, and {@link #cure} says which.
 */
final class Failure {
    static final Failure LATE = new Failure("no answer in time", null);
    static final Failure NOT_CONNECTED = new Failure("not connected", null);

    /** What an error begins with, or, of an error in a script of Redis 6, what that quotes. */
    private static final Pattern CODE = Pattern.compile("(?:^|-)(?!ERR )([A-Z]{3,20}) ");

    final String what;
    /** What to change; null where it may mend by itself. */
    final String cure;

    private Failure(String what, String cure) {
        this.what = what;
        this.cure = cure;
    }

    /** Whether it lasts until somebody changes a setting, or Redis. */
    boolean refusal() {
        return cure != null;
    }

    /** All that is to be said of it. {@code where}: host and port, as they follow a word; or empty. */
    String at(String where) {
        return what + where + (cure == null ? "" : ": " + cure);
    }

    /** What keeps this JVM from asking at all. */
    static Failure ours(Throwable thrown) {
        return thrown instanceof IllegalArgumentException ? new Failure(thrown.getMessage(), "redis= is to be mended")
                : new Failure("its client does not run in this JVM: "
                        + thrown.getClass().getName(), "redis= is to be left out, or this JVM another one");
    }

    /** @param thrown null if all that is known is that there is no connection */
    static Failure of(Throwable thrown) {
        Failure found = NOT_CONNECTED;
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            Failure f = one(t);
            found = f == null ? found : f;
            if (f != null && !(t instanceof SSLException)) { // whose cause says more
                return f;
            }
            for (Throwable each : t.getSuppressed()) { // so a cluster's client tells of the nodes that it has tried
                f = of(each);
                if (f != NOT_CONNECTED) {
                    return f;
                }
            }
        }
        return found;
    }

    /** Null if it says nothing. */
    private static Failure one(Throwable t) {
        if (t instanceof RedisCommandTimeoutException) {
            return LATE;
        } else if (t instanceof RedisCommandExecutionException) {
            return answered(String.valueOf(t.getMessage()));
        } else if (t instanceof UnknownHostException) {
            return new Failure("unknown host", "redis= names a host that this machine finds no address of");
        } else if (t instanceof NotSslRecordException) {
            return plain();
        } else if (t instanceof CertificateException) {
            return new Failure("its certificate is not trusted",
                    "this JVM has to trust it (-Djavax.net.ssl.trustStore=FILE), or redis= to end in ?verifyPeer=NONE");
        } else if (t instanceof SSLException) {
            return new Failure("no TLS connection", "redis= says rediss://, so that port has to speak TLS");
        }
        return null;
    }

    /** The other side does not speak TLS. */
    static Failure plain() {
        return new Failure("no TLS connection", "redis= says rediss://, and that port speaks no TLS; redis:// does without");
    }

    private static Failure answered(String message) {
        // as Redis 7 and 6.2 say NOPERM of what a script does
        if (message.contains("ACL failure in script") || message.contains("user executing the script")) {
            return coded("NOPERM");
        }
        if (message.startsWith("ERR ") && message.contains("AUTH") && message.contains("password")) {
            return new Failure("it has no password", "redis.password=, or the one in redis=, is to be left out");
        }
        if (message.contains("max number of clients")) {
            return new Failure("it has as many clients as it takes: maxclients", null);
        }
        Matcher code = CODE.matcher(message);
        return code.find() ? coded(code.group(1)) : new Failure("an error of the server", null);
    }

    private static Failure coded(String code) {
        switch (code) {
            case "WRONGPASS":
                return new Failure(code, "the user or the password is wrong, which redis.password= or redis= say");
            case "NOAUTH":
                return new Failure(code, "it wants a password, which redis.password= says");
            case "NOPERM":
                return new Failure(code, "this user lacks a right; the README lists those that it needs, and redis= says who it is");
            case "OOM":
                return new Failure("its memory is full: OOM", null);
            case "READONLY":
                return new Failure("it is a replica that takes no writes: READONLY", null);
            case "LOADING":
                return new Failure("it reads its data from disk: LOADING", null);
            case "MISCONF":
                return new Failure("it cannot save to its disk and takes no writes: MISCONF", null);
            case "BUSY":
                return new Failure("another program's script keeps it busy: BUSY", null);
            default:
                return new Failure(code, null);
        }
    }
}
