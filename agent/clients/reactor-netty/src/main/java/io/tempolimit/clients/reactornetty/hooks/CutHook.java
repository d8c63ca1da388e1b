package io.tempolimit.clients.reactornetty.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.netty.Connection;

/** A response's connection or stream is closed, or the application wants no more of it. */
public final class CutHook extends Hook {
    public CutHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Bodies.cut(((Connection) self).channel());
        return null;
    }
}
