package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Connection;
import org.jsoup.Jsoup;

/** jsoup, which sends through the JDK's HttpClient where there is one and nobody asks it not to. */
public final class JsoupRider implements Http {
    private final String useHttpClient;

    public JsoupRider(String on) {
        useHttpClient = String.valueOf(on.equals("jdk"));
    }

    @Override
    public Reply send(Request request) throws IOException {
        System.setProperty("jsoup.useHttpClient", useHttpClient); // looked at for each request
        Connection.Response response = Jsoup.connect(request.url).ignoreContentType(true).ignoreHttpErrors(true).execute();
        List<String> headers = new ArrayList<>();
        response.headers().forEach((name, value) -> headers.add(name + ": " + value));
        return new Reply(response.statusCode(), headers, response.bodyStream());
    }
}
