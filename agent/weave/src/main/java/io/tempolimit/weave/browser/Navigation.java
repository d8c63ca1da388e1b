package io.tempolimit.weave.browser;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import java.util.List;

/**
 * The loading of a page, up to its main document's answer. The browser follows redirects by itself: they are known when
 * it is over, and each takes its token then, without waiting, for the next request to pay.
 */
public abstract class Navigation extends Call {
    /** Who is to be shown what each frame has loaded last. */
    private static final WeakMap<Object, Body> LOADED = new WeakMap<>();

    /** The page's, granted. */
    protected final Permit permit;
    /** That is to show it. */
    protected final Object frame;
    private final Gate gate;
    private final PageUrl page;

    /** A page whose turn has come. */
    protected Navigation(Gate gate, Object frame, PageUrl page, Permit permit) {
        this.gate = gate;
        this.frame = frame;
        this.page = page;
        this.permit = permit;
    }

    /** A frame is about to load another page. */
    protected static void leaves(Object frame) {
        Body before = takeLoaded(frame);
        if (before != null) {
            before.cut();
        }
    }

    /** Who is to be shown the document of this frame, once; null if nobody needs to see it. */
    static Body takeLoaded(Object frame) {
        return LOADED.remove(frame);
    }

    /** Asks the frame for its document by the method that is woven with {@link ContentHook}, whatever comes of that. */
    protected abstract void askForDocument();

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
            shows(hop, last.of(hop, url));
        } else if (hop != null) {
            hop.unused();
        }
    }

    private void shows(Permit last, Body body) {
        if (body == null) {
            return;
        }
        body.arrived();
        LOADED.put(frame, body);
        if (last.wantsDocument()) {
            askForDocument();
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
