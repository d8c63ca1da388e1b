package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;

/** The loading of a page, up to its main document's response. */
final class Navigation extends Call {
    private final Gate gate;
    private final PageUrl page;
    private final Permit permit;

    private Navigation(Gate gate, PageUrl page, Permit permit) {
        this.gate = gate;
        this.page = page;
        this.permit = permit;
    }

    /** Waits for the page's turn; null if it is not paced. */
    static Navigation begin(Gate gate, PageUrl page) throws Refusal {
        Permit permit = Turn.await(gate, page);
        return permit == null ? null : new Navigation(gate, page, permit);
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
            Answer.end(hop, response.url(), response.status(), response.headers());
        }
        return result;
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
