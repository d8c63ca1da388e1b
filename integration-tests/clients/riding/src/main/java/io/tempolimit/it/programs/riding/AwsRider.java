package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** The HTTP clients of AWS SDK 2. */
public final class AwsRider implements Http {
    private final SdkHttpClient client;

    public AwsRider(String on) {
        client = on.equals("apache4") ? ApacheHttpClient.create() : UrlConnectionHttpClient.create();
    }

    @Override
    public Reply send(Request request) throws IOException {
        SdkHttpRequest get = SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(URI.create(request.url)).build();
        HttpExecuteResponse response = client.prepareRequest(HttpExecuteRequest.builder().request(get).build()).call();
        List<String> headers = new ArrayList<>();
        response.httpResponse().headers().forEach((name, values) -> values.forEach(value -> headers.add(name + ": " + value)));
        InputStream body = response.responseBody().isPresent() ? response.responseBody().get() : new ByteArrayInputStream(new byte[0]);
        return new Reply(response.httpResponse().statusCode(), headers, body);
    }
}
