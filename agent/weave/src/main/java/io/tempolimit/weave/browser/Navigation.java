package io.tempolimit.weave.browser;

import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import java.util.List;

/**
 * The loading of a page, up to its main document's answer. The browser follows redirects by itself: they are known when it is over,
 * and each takes its token then, without waiting, for the next request to pay.
 */
public abstract class Navigation extends Call {
    /** The page's, granted. */
    protected final Permit permit;
    private final Gate gate;
    private final PageUrl page;

    /** A page whose turn has come. */
    protected Navigation(Gate gate, PageUrl page, Permit permit) {
        this.gate = gate;
        this.page = page;
        this.permit = permit;
    }

    /**
     * The page is there.
     *
     * @param hops the URLs that the browser asked for, one at least
     * @param last the answer to the last of them; null if it came from the browser's cache
     */
    protected final void arrived(List<String> hops, Answer last) {
        String url = hops.get(0);
        Permit hop = first(PageUrl.of(url).by(page.proxy()));
        for (int i = 1; i < hops.size(); i++) {
            url = hops.get(i);
            if (hop != null && !hop.landed(url)) {
                hop.answered(); // by a redirect
            }
            hop = gate.limiter().charge(PageUrl.of(url).by(page.proxy()));
        }
        if (hop != null && last != null) {
            last.end(hop, url);
        } else if (hop != null) {
            hop.unused();
        }
    }

    /** The permit of the first hop, which went elsewhere if the history did. */
    private Permit first(PageUrl sentTo) {
        String host = Hosts.canonical(sentTo.host());
        if (host == null || host.equals(Hosts.canonical(page.host()))) {
            return permit;
        }
        permit.unused();
        return gate.limiter().charge(sentTo);
    }
}
