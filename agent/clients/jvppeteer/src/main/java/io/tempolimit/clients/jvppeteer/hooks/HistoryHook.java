package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/**
 * A page is loaded again, or goes back or forward: by how many pages, if it does, options, and its session or, of
 * BiDi, its frame.
 */
public final class HistoryHook extends Hook {
    private final Gate gate;

    public HistoryHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        boolean sends = !(args[0] instanceof Integer);
        return Load.again(gate, self, Names.ask(self, "mainFrame"), Names.session(lookup, args[args.length - 1]), sends);
    }
}
