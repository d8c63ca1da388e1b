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
    private Load(Gate gate, Object frame, PageUrl page, Permit permit, Object session, boolean waits, boolean sends) {
        super(gate, frame, page, permit);
        this.session = session;
        this.waits = waits;
        this.sends = sends;
    }

    /** What is shown in this frame is loaded again, or what was shown before; null if that is not paced. */
    static Load again(Gate gate, Object ofPage, Object frame, Object session, boolean sends) throws Exception {
        return begin(gate, ofPage, frame, Names.url(frame), session, true, sends);
    }

    /** Waits for the turn of what a frame is to load; null if it is not paced. */
    static Load begin(Gate gate, Object ofPage, Object frame, String url, Object session, boolean waits, boolean sends) throws Exception {
        leaves(frame);
        PageUrl page = PageUrl.of(url).by(Proxies.of(ofPage));
        Permit permit = Turn.await(gate, page, session);
        return permit == null ? null : new Load(gate, frame, page, permit, session, waits, sends);
    }

    @Override
    public Object exit(Object result) {
        if (result != null) {
            arrived(Names.hops(result), Names.answer(result));
        } else if (!waits) {
            permit.abandoned();
        } else if (sends) {
            permit.answered(); // the response is late
        } else {
            permit.unused();
        }
        return result;
    }

    @Override
    protected void askForDocument() {
        try {
            Names.ask(frame, "content");
        } catch (IllegalStateException e) {
            // the page goes elsewhere already: the application hears of it by its own next call
        }
    }

    @Override
    public Throwable fail(Throwable failure) {
        if (failure instanceof IndexOutOfBoundsException) { // there is no such page in the history
            permit.unused();
            return failure;
        }
        boolean timedOut = failure instanceof TimeoutException;
        if (timedOut && (!sends || CloseHook.CLOSED.isClosed(session))) {
            permit.abandoned(); // some versions call it a timeout that the page was closed, or came from the browser's cache
        } else {
            Failure.end(permit, failure, timedOut);
        }
        return failure;
    }
}
