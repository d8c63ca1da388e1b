package io.tempolimit.it.programs.riding;

import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpRequestFactory;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.apache.v2.ApacheHttpTransport;
import com.google.api.client.http.javanet.NetHttpTransport;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** google-http-client. */
public final class GoogleRider implements Http {
    private final HttpRequestFactory requests;

    public GoogleRider(String on) {
        HttpTransport transport = on.equals("apache4") ? new ApacheHttpTransport() : new NetHttpTransport();
        requests = transport.createRequestFactory();
    }

    @Override
    public Reply send(Request request) throws IOException {
        HttpResponse response = requests.buildGetRequest(new GenericUrl(request.url)).setThrowExceptionOnExecuteError(false).execute();
        List<String> headers = new ArrayList<>();
        if (response.getHeaders().getLocation() != null) {
            headers.add("Location: " + response.getHeaders().getLocation());
        }
        return new Reply(response.getStatusCode(), headers, response.getContent());
    }
}
