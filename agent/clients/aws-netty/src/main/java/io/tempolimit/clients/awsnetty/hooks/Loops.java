package io.tempolimit.clients.awsnetty.hooks;

import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/** A client's event loops. No type of Netty's is named: some jars bring the SDK with Netty under another name. */
final class Loops {
    private static final Method GROUP = group();

    private Loops() {
    }

    /** Has one of the loops run what it is given. */
    static Executor of(SdkEventLoopGroup loops) {
        try {
            return (Executor) GROUP.invoke(loops);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Method group() {
        try {
            return SdkEventLoopGroup.class.getMethod("eventLoopGroup");
        } catch (NoSuchMethodException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }
}
