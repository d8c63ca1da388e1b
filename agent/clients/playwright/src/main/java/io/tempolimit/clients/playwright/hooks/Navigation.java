package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.Frame;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;

/** The loading of a page, up to its main document's response. */
final class Navigation extends Call {
    /** Who is to be shown what each frame has loaded last. */
    private static final WeakMap<Frame, Body> LOADED = new WeakMap<>();

    private final Gate gate;
    private final Frame frame;
    private final PageUrl page;
    private final Permit permit;

    private Navigation(Gate gate, Frame frame, PageUrl page, Permit permit) {
        this.gate = gate;
        this.frame = frame;
        this.page = page;
        this.permit = permit;
    }

    /** Waits for the page's turn; null if it is not paced. */
    static Navigation begin(Gate gate, Frame frame, PageUrl page) throws Refusal {
        Body before = LOADED.remove(frame);
        if (before != null) {
            before.cut();
        }
        Permit permit = Turn.await(gate, page);
        return permit == null ? null : new Navigation(gate, frame, page, permit);
    }

    /** Who is to be shown the document of this frame; null if nobody needs to see it. */
    static Body loaded(Frame frame) {
        return LOADED.remove(frame);
    }

    @Override
    public Object exit(Object result) {
        if (result == null) { // an anchor of the same page, or no history: nothing was sent
            permit.unused();
            return null;
        }
        Response response = (Response) result;
        Deque<String> hops = new ArrayDeque<>();
        for (Request r = response.request(); r != null; r = r.redirectedFrom()) {
            hops.addFirst(r.url());
        }
        Permit hop = first(PageUrl.of(hops.removeFirst()).by(page.proxy()));
        for (String next : hops) {
            if (hop != null && !hop.landed(next)) {
                hop.answered(); // by a redirect
            }
            hop = gate.limiter().charge(PageUrl.of(next).by(page.proxy()));
        }
        if (hop != null) {
            document(hop, Answer.of(hop, response.url(), response.status(), response.headers()));
        }
        return result;
    }

    private void document(Permit hop, Body body) {
        if (body == null) {
            return;
        }
        body.arrived();
        LOADED.put(frame, body);
        if (hop.wantsDocument()) {
            try {
                frame.content(); // which its hook sees
            } catch (PlaywrightException e) {
                // the page goes elsewhere already: the application hears of it by its own next call
            }
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

    @Override
    public Throwable fail(Throwable failure) {
        Failure.end(permit, failure);
        return failure;
    }
}
