package io.tempolimit.clients.jvppeteer.hooks;

import com.ruiyun.jvppeteer.exception.TimeoutException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.browser.Failure;
import io.tempolimit.weave.browser.Navigation;

/** The loading of a page. */
final class Load extends Navigation {
    private final Object session;
    private final boolean waits;
    private final boolean sends;

    /**
     * @param session without which nothing can be sent
     * @param waits   whether the method waits for the page
     * @param sends   whether the browser asks the site in any case
     */
    Load(Gate gate, PageUrl page, Permit permit, Object session, boolean waits, boolean sends) {
        super(gate, page, permit);
        this.session = session;
        this.waits = waits;
        this.sends = sends;
    }

    /** What is shown in this frame is loaded again, or what was shown before; waits for its turn, and gives null if it is not paced. */
    static Load again(Gate gate, Object ofPage, Object frame, Object session, boolean sends) throws Exception {
        PageUrl page = PageUrl.of((String) Names.ask(frame, "url")).by(Proxies.of(ofPage));
        Permit permit = Turn.await(gate, page, session);
        return permit == null ? null : new Load(gate, page, permit, session, true, sends);
    }

    @Override
    public Object exit(Object result) {
        if (result != null) {
            arrived(Names.hops(result), Names.answer(result));
        } else if (!waits) {
            permit.abandoned();
        } else if (sends) {
            permit.answered();
        } else {
            permit.unused();
        }
        return result;
    }

    @Override
    public Throwable fail(Throwable failure) {
        if (failure instanceof IndexOutOfBoundsException) { // there is no such page in the history
            permit.unused();
            return failure;
        }
        boolean timedOut = failure instanceof TimeoutException;
        if (timedOut && (!sends || CloseHook.CLOSED.isClosed(session))) { // a page from the browser's cache, of which some versions miss the end
            permit.abandoned();
        } else {
            Failure.end(permit, failure, timedOut);
        }
        return failure;
    }
}
