package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResponseErrorHandler;
import org.springframework.web.client.RestTemplate;

/** Spring's RestTemplate. */
public final class RestTemplateRider implements Http {
    private final RestTemplate template;

    public RestTemplateRider(String on) throws Exception {
        template = new RestTemplate(Factories.of(on));
        template.setErrorHandler(new ResponseErrorHandler() {
            @Override
            public boolean hasError(ClientHttpResponse response) {
                return false;
            }
        });
    }

    @Override
    public Reply send(Request request) {
        ResponseEntity<byte[]> response = template.getForEntity(URI.create(request.url), byte[].class);
        List<String> headers = new ArrayList<>();
        response.getHeaders().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
        byte[] body = response.getBody();
        return new Reply(response.getStatusCode().value(), headers, new ByteArrayInputStream(body == null ? new byte[0] : body));
    }
}
