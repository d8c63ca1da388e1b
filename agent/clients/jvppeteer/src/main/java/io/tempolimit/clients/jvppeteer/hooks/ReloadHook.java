package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A frame of version 2 waits for what comes next: options, whether it is to load again, and its session. */
public final class ReloadHook extends Hook {
    private final Gate gate;

    public ReloadHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        return Boolean.TRUE.equals(args[1]) ? Load.again(gate, Names.page(self), self, args[2], true) : null;
    }
}
