package io.tempolimit.it.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code java.net.HttpURLConnection}. */
public final class UrlConnectionAdapter implements Adapter {
    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.KEEPS_INTERRUPT, Feature.PROXY, Feature.BODIES, Feature.COLLECTS, Feature.USER_AGENT, Feature.EXPECTS);
    }

    @Override
    public String cancelled() {
        return "none";
    }

    @Override
    public String interrupted() {
        return "java.io.InterruptedIOException";
    }

    @Override
    public Http open(Map<String, String> options) {
        if (options.containsKey("user")) {
            Authenticator.setDefault(new Authenticator() {
                @Override
                protected PasswordAuthentication getPasswordAuthentication() {
                    return new PasswordAuthentication(options.get("user"), options.get("password").toCharArray());
                }
            });
        }
        int timeout = Integer.parseInt(options.getOrDefault("timeout", "0"));
        Proxy proxy = Adapter.proxy(options) == null ? Proxy.NO_PROXY : new Proxy(Proxy.Type.HTTP, Adapter.proxy(options));
        return request -> send(request, timeout, proxy, options.get("user-agent"));
    }

    private static Reply send(Request request, int timeout, Proxy proxy, String userAgent) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(request.url).openConnection(proxy);
        connection.setRequestMethod(request.method);
        connection.setConnectTimeout(timeout);
        connection.setReadTimeout(timeout);
        if (userAgent != null) {
            connection.setRequestProperty("User-Agent", userAgent);
        }
        if (request.posts()) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Expect", "100-continue");
            connection.setFixedLengthStreamingMode(Request.BODY.length());
            try (OutputStream body = connection.getOutputStream()) {
                body.write(Request.BODY.getBytes(StandardCharsets.US_ASCII));
            } catch (ProtocolException refused) { // what is asked further is asked of the site, by another request
                Reply reply = new Reply(connection.getResponseCode(), new ArrayList<>(), new ByteArrayInputStream(new byte[0]));
                connection.disconnect();
                return reply;
            }
        }
        int status = connection.getResponseCode();
        List<String> headers = new ArrayList<>();
        for (int i = 1; connection.getHeaderFieldKey(i) != null; i++) {
            headers.add(connection.getHeaderFieldKey(i) + ": " + connection.getHeaderField(i));
        }
        InputStream body = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
        return new Reply(status, headers, body == null ? new ByteArrayInputStream(new byte[0]) : body);
    }
}
