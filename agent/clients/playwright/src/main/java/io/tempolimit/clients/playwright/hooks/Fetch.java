package io.tempolimit.clients.playwright.hooks;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.TimeoutError;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.browser.Answer;
import io.tempolimit.weave.browser.Failure;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request outside of any page, up to its response. */
final class Fetch extends Call {
    /** How the failure begins that {@code failOnStatusCode} makes of an answer. */
    private static final Pattern REFUSED = Pattern.compile("Error \\{\\s+message='([1-5]\\d\\d) ");

    private final Gate gate;
    private final PageUrl url;
    private final Permit permit;

    Fetch(Gate gate, PageUrl url, Permit permit) {
        this.gate = gate;
        this.url = url;
        this.permit = permit;
    }

    @Override
    public Object exit(Object result) {
        APIResponse response = (APIResponse) result;
        PageUrl last = PageUrl.of(response.url()).by(url.proxy());
        if (same(url, last)) {
            answer(response).end(permit, response.url());
        } else {
            if (!permit.landed(response.url())) {
                permit.answered(); // by a redirect
            }
            Permit hop = gate.limiter().charge(last);
            if (hop != null) {
                answer(response).end(hop, response.url());
            }
        }
        return result;
    }

    private static Answer answer(APIResponse response) {
        return new Answer(response.status(), response.headers().entrySet());
    }

    /** Whether a URL is the other one as the driver has written it. */
    private static boolean same(PageUrl asked, PageUrl answered) {
        String host = Hosts.canonical(answered.host());
        return host == null || host.equals(Hosts.canonical(asked.host())) && asked.port() == answered.port()
                && asked.scheme().equals(answered.scheme()) && samePath(asked.path(), answered.path());
    }

    private static boolean samePath(String asked, String answered) {
        if (asked.contains("/.")) { // may have been shortened
            return true;
        }
        try {
            return URLDecoder.decode(asked, "UTF-8").equals(URLDecoder.decode(answered, "UTF-8"));
        } catch (UnsupportedEncodingException | IllegalArgumentException notDecodable) {
            return true;
        }
    }

    @Override
    public Throwable fail(Throwable failure) {
        Matcher refused = REFUSED.matcher(String.valueOf(failure.getMessage()));
        if (refused.lookingAt()) {
            permit.answered(Integer.parseInt(refused.group(1)));
        } else {
            Failure.end(permit, failure, failure instanceof TimeoutError);
        }
        return failure;
    }
}
