package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.Frame;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.TimeoutError;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.browser.Answer;
import io.tempolimit.weave.browser.Failure;
import io.tempolimit.weave.browser.Navigation;
import java.util.LinkedList;

/** The loading of a page. */
final class Load extends Navigation {
    private Load(Gate gate, Frame frame, PageUrl page, Permit permit) {
        super(gate, frame, page, permit);
    }

    /** Waits for the page's turn; null if it is not paced. */
    static Load begin(Gate gate, Frame frame, PageUrl page) throws Refusal {
        leaves(frame);
        Permit permit = Turn.await(gate, page);
        return permit == null ? null : new Load(gate, frame, page, permit);
    }

    @Override
    public Object exit(Object result) {
        if (result == null) { // an anchor of the same page, or no history: nothing was sent
            permit.unused();
            return null;
        }
        Response response = (Response) result;
        LinkedList<String> hops = new LinkedList<>();
        for (Request r = response.request(); r != null; r = r.redirectedFrom()) {
            hops.addFirst(r.url());
        }
        arrived(hops, new Answer(response.status(), response.headers().entrySet()));
        return result;
    }

    @Override
    protected void askForDocument() {
        try {
            ((Frame) frame).content();
        } catch (PlaywrightException e) {
            // the page goes elsewhere already: the application hears of it by its own next call
        }
    }

    @Override
    public Throwable fail(Throwable failure) {
        Failure.end(permit, failure, failure instanceof TimeoutError);
        return failure;
    }
}
