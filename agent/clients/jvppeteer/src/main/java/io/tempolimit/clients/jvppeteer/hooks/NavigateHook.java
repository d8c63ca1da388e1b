package io.tempolimit.clients.jvppeteer.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A frame goes to a URL: that, options, whether it waits for the page (up to version 2), and its session. */
public final class NavigateHook extends Hook {
    private final Gate gate;

    public NavigateHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        String url = (String) args[0];
        Object session = args[args.length - 1];
        boolean waits = !Boolean.FALSE.equals(args[2]);
        return Load.begin(gate, Names.page(self), self, url, session, waits, !isAnchor(Names.url(self), url));
    }

    /** Whether it is in the document that is shown. */
    private static boolean isAnchor(String shown, String url) {
        int anchor = url.indexOf('#');
        return anchor >= 0 && shown != null && url.substring(0, anchor).equals(shown.split("#", 2)[0]);
    }
}
