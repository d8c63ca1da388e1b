package io.tempolimit.start;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A HAR file (HTTP archive, as browsers' developer tools save it), read entry by entry, so that only the largest entry
 * has to fit into memory. Parts that are not needed, and values of a type that was not expected, are passed over.
 */
final class Har implements Closeable {
    private static final byte[] NOTHING = {};

    /** A request and its answer. */
    static final class Entry extends Head {
        String method = "GET";
        String url = "";
        /** Null where the file has no body. */
        byte[] body;

        private int status;
        private final List<String> headers = new ArrayList<>();
        private String mimeType;
        private boolean text;

        /** 0 where there was no answer. */
        @Override
        public int status() {
            return status;
        }

        @Override
        public void headers(Headers to) {
            boolean typed = false;
            for (int i = 0; i < headers.size(); i += 2) {
                boolean type = headers.get(i).equalsIgnoreCase("content-type");
                to.add(headers.get(i), type && text ? inUtf8(headers.get(i + 1)) : headers.get(i + 1));
                typed |= type;
            }
            if (!typed && mimeType != null && !mimeType.isEmpty()) {
                to.add("Content-Type", text ? inUtf8(mimeType) : mimeType);
            }
        }

        /** Bodies are archived decoded. */
        @Override
        public boolean decoded() {
            return true;
        }

        /** What the archive has as text has no charset of its own any more. */
        private static String inUtf8(String type) {
            int parameters = type.indexOf(';');
            return (parameters < 0 ? type : type.substring(0, parameters)) + "; charset=utf-8";
        }
    }

    private final JsonReader in;
    private boolean open;

    /** @throws IOException if it is no HAR file, or not readable */
    Har(Reader file) throws IOException {
        in = new JsonReader(file);
        try {
            in.beginObject();
            open = find("log", JsonToken.BEGIN_OBJECT);
            if (open) {
                in.beginObject();
                open = find("entries", JsonToken.BEGIN_ARRAY);
            }
            if (open) {
                in.beginArray();
            }
        } catch (MalformedJsonException | EOFException | IllegalStateException e) {
            throw new IOException("no HAR file; a page needs its status: judge --status N PAGE");
        }
        if (!open) {
            throw new IOException("no HAR file: it has no log.entries");
        }
    }

    /** Without the reader's own words, which are for programmers. */
    private IOException broken() {
        return new IOException("a broken HAR file, at " + in.getPath());
    }

    private boolean find(String name, JsonToken type) throws IOException {
        while (in.hasNext()) {
            if (in.nextName().equals(name) && in.peek() == type) {
                return true;
            }
            in.skipValue();
        }
        return false;
    }

    /**
     * The next entry; null after the last.
     *
     * @throws IOException if the file is broken there, or not readable
     */
    Entry next() throws IOException {
        try {
            return entry();
        } catch (MalformedJsonException | EOFException | IllegalStateException | NumberFormatException e) {
            throw broken();
        }
    }

    private Entry entry() throws IOException {
        if (!open || !in.hasNext()) {
            open = false;
            return null;
        }
        Entry entry = new Entry();
        object(name -> {
            switch (name) {
                case "request":
                    return object(field -> request(entry, field));
                case "response":
                    return object(field -> response(entry, field));
                default:
                    return false;
            }
        });
        return entry;
    }

    private boolean request(Entry entry, String field) throws IOException {
        if (!isText()) {
            return false;
        }
        switch (field) {
            case "method":
                entry.method = in.nextString();
                return true;
            case "url":
                entry.url = in.nextString();
                return true;
            default:
                return false;
        }
    }

    private boolean response(Entry entry, String field) throws IOException {
        switch (field) {
            case "status":
                if (in.peek() != JsonToken.NUMBER) {
                    return false;
                }
                entry.status = (int) in.nextDouble();
                return true;
            case "headers":
                if (in.peek() != JsonToken.BEGIN_ARRAY) {
                    return false;
                }
                in.beginArray();
                while (in.hasNext()) {
                    header(entry);
                }
                in.endArray();
                return true;
            case "content":
                return content(entry);
            default:
                return false;
        }
    }

    private void header(Entry entry) throws IOException {
        String[] nameAndValue = new String[2];
        object(field -> {
            int i = field.equals("name") ? 0 : field.equals("value") ? 1 : -1;
            if (i < 0 || !isText()) {
                return false;
            }
            nameAndValue[i] = in.nextString();
            return true;
        });
        if (nameAndValue[0] != null && nameAndValue[1] != null) {
            entry.headers.add(nameAndValue[0]);
            entry.headers.add(nameAndValue[1]);
        }
    }

    private boolean content(Entry entry) throws IOException {
        String[] textAndEncoding = new String[2];
        boolean[] empty = new boolean[1];
        object(field -> {
            if (field.equals("size") && in.peek() == JsonToken.NUMBER) {
                empty[0] = in.nextDouble() == 0;
                return true;
            }
            if (!isText()) {
                return false;
            }
            switch (field) {
                case "mimeType":
                    entry.mimeType = in.nextString();
                    return true;
                case "text":
                    textAndEncoding[0] = in.nextString();
                    return true;
                case "encoding":
                    textAndEncoding[1] = in.nextString();
                    return true;
                default:
                    return false;
            }
        });
        if (textAndEncoding[0] == null) {
            entry.body = empty[0] ? NOTHING : null;
        } else if ("base64".equalsIgnoreCase(textAndEncoding[1])) {
            try {
                entry.body = Base64.getMimeDecoder().decode(textAndEncoding[0]);
            } catch (IllegalArgumentException e) {
                entry.body = null; // as if it were not there
            }
        } else {
            entry.body = textAndEncoding[0].getBytes(StandardCharsets.UTF_8);
            entry.text = true;
        }
        return true;
    }

    private boolean isText() throws IOException {
        return in.peek() == JsonToken.STRING;
    }

    /** Takes a field's value and answers true, or leaves it and answers false. */
    private interface Fields {
        boolean take(String name) throws IOException;
    }

    /** Reads an object, or passes over what is none. Always true: the value is taken. */
    private boolean object(Fields fields) throws IOException {
        if (in.peek() != JsonToken.BEGIN_OBJECT) {
            in.skipValue();
            return true;
        }
        in.beginObject();
        while (in.hasNext()) {
            if (!fields.take(in.nextName())) {
                in.skipValue();
            }
        }
        in.endObject();
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
