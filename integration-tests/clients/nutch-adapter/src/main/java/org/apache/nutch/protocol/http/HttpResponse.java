package org.apache.nutch.protocol.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.Response;

/**
 * One request on a connection of its own, all of whose answer is read when this is made. The plugin has the method that reads a head,
 * too.
 */
final class HttpResponse implements Response {
    private final URL url;
    private final Metadata headers = new Metadata();
    private int code;
    private final byte[] content;

    HttpResponse(Http http, URL url, String method) throws IOException {
        this.url = url;
        int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        boolean proxied = http.useProxy(url);
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(http.timeout());
            socket.connect(proxied ? new InetSocketAddress(http.getProxyHost(), http.getProxyPort())
                    : new InetSocketAddress(url.getHost(), port),
                    http.timeout());
            StringBuilder head = new StringBuilder(method).append(' ').append(proxied ? url : url.getFile().isEmpty() ? "/" : url.getFile())
                    .append(" HTTP/1.1\r\nHost: ").append(url.getHost()).append(url.getPort() < 0 ? "" : ":" + url.getPort())
                    .append("\r\nAccept-Encoding: gzip\r\nConnection: close\r\n");
            if (http.getUserAgent() != null) {
                head.append("User-Agent: ").append(http.getUserAgent()).append("\r\n");
            }
            OutputStream out = socket.getOutputStream();
            out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            do {
                String status = line(in);
                code = Integer.parseInt(status.split(" ")[1]);
                parseHeaders(in);
            } while (code == 100);
            byte[] raw = method.equals("HEAD") || code == 204 || code == 304 ? new byte[0] : body(in);
            content = "gzip".equals(getHeader("Content-Encoding")) && raw.length > 0
                    ? all(new GZIPInputStream(new ByteArrayInputStream(raw)), Integer.MAX_VALUE) : raw;
        }
    }

    private void parseHeaders(InputStream in) throws IOException {
        for (String line; !(line = line(in)).isEmpty(); ) {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon), line.substring(colon + 1).trim());
        }
    }

    private byte[] body(InputStream in) throws IOException {
        if ("chunked".equals(getHeader("Transfer-Encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size; (size = Integer.parseInt(line(in).trim(), 16)) > 0; line(in)) {
                all.write(exactly(in, size));
            }
            return all.toByteArray();
        }
        String length = getHeader("Content-Length");
        return length == null ? all(in, Integer.MAX_VALUE) : exactly(in, Integer.parseInt(length));
    }

    private static byte[] exactly(InputStream in, int count) throws IOException {
        byte[] bytes = all(in, count);
        if (bytes.length < count) {
            throw new EOFException();
        }
        return bytes;
    }

    private static byte[] all(InputStream in, int most) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n; all.size() < most && (n = in.read(buffer, 0, Math.min(buffer.length, most - all.size()))) >= 0; ) {
            all.write(buffer, 0, n);
        }
        return all.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n'; ) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public URL getUrl() {
        return url;
    }

    @Override
    public int getCode() {
        return code;
    }

    @Override
    public String getHeader(String name) {
        for (String one : headers.names()) {
            if (one.equalsIgnoreCase(name)) {
                return headers.get(one);
            }
        }
        return null;
    }

    @Override
    public Metadata getHeaders() {
        return headers;
    }

    @Override
    public byte[] getContent() {
        return content;
    }
}
