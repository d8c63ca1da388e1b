package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.MediaType;
import com.squareup.okhttp.ResponseBody;
import io.tempolimit.core.Body;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;

/** A response's body that shows what is read from it. */
final class Tap extends ResponseBody {
    private final ResponseBody tapped;
    private final BufferedSource source;

    Tap(ResponseBody tapped, Body body) throws IOException {
        this.tapped = tapped;
        this.source = Okio.buffer(new Shown(tapped.source(), body, tapped.contentLength()));
    }

    @Override
    public MediaType contentType() {
        return tapped.contentType();
    }

    @Override
    public long contentLength() throws IOException {
        return tapped.contentLength();
    }

    @Override
    public BufferedSource source() {
        return source;
    }

    private static final class Shown implements Source {
        private final BufferedSource in;
        private final Body body;
        /** How many bytes are still to come; negative if that is not known. */
        private long left;
        /** Takes bytes from where they lie in a buffer. */
        private final OutputStream window = new OutputStream() {
            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                body.add(bytes, from, count);
            }
        };

        Shown(BufferedSource in, Body body, long length) {
            this.in = in;
            this.body = body;
            this.left = length;
            if (length == 0) {
                body.end();
            }
        }

        @Override
        public long read(Buffer into, long most) throws IOException {
            long n;
            try {
                n = in.read(into, most);
            } catch (IOException e) {
                body.cut();
                hide(e);
                throw body.failure(e);
            } catch (RuntimeException e) {
                body.cut();
                hide(e);
                throw e;
            }
            if (n < 0) {
                body.end();
            } else {
                show(into, n);
            }
            return n;
        }

        private void show(Buffer buffer, long n) throws IOException {
            if (body.over()) {
                body.passed();
            } else {
                buffer.copyTo(window, buffer.size() - n, n);
            }
            if (left > 0) {
                left -= n;
                if (left == 0) {
                    body.end(); // many an application reads no further than it has to
                }
            }
        }

        @Override
        public Timeout timeout() {
            return in.timeout();
        }

        @Override
        public void close() throws IOException {
            body.cut(); // nothing, if that was all of it
            try {
                in.close();
            } catch (IOException | RuntimeException e) {
                hide(e);
                throw e;
            }
        }

        /** Takes this source, and the one that it reads from, out of the stacks that the application will see. */
        private static void hide(Throwable thrown) {
            int depth = 0;
            for (Throwable t = thrown; t != null && depth < 20; t = t.getCause(), depth++) {
                List<StackTraceElement> frames = new ArrayList<>();
                for (StackTraceElement frame : t.getStackTrace()) {
                    if (frame.getClassName().equals(Shown.class.getName()) && !frames.isEmpty()) {
                        frames.remove(frames.size() - 1);
                    } else {
                        frames.add(frame);
                    }
                }
                t.setStackTrace(frames.toArray(new StackTraceElement[0]));
            }
        }
    }
}
