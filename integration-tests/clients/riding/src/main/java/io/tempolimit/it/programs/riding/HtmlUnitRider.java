package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.htmlunit.WebClient;
import org.htmlunit.WebRequest;
import org.htmlunit.WebResponse;
import org.htmlunit.util.NameValuePair;

/** HtmlUnit. */
public final class HtmlUnitRider implements Http {
    private final WebClient client = new WebClient();

    public HtmlUnitRider(String on) {
        client.getOptions().setThrowExceptionOnFailingStatusCode(false);
    }

    @Override
    public Reply send(Request request) throws IOException {
        WebResponse response = client.getPage(new WebRequest(new URL(request.url))).getWebResponse();
        List<String> headers = new ArrayList<>();
        for (NameValuePair header : response.getResponseHeaders()) {
            headers.add(header.getName() + ": " + header.getValue());
        }
        return new Reply(response.getStatusCode(), headers, response.getContentAsStream());
    }
}
