package io.tempolimit.admin;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.tempolimit.watch.LimiterControl;
import java.io.IOException;
import java.io.StringReader;

/** What an operator can do on the page; each is a JMX operation or attribute, and the same code. */
final class Actions {
    private final LimiterControl control;

    Actions(LimiterControl control) {
        this.control = control;
    }

    /** Whether there is such an action. */
    static boolean has(String name) {
        switch (name) {
            case "pause":
            case "resume":
            case "reset":
            case "reset-stats":
            case "rate":
            case "enabled":
            case "dry-run":
                return true;
            default:
                return false;
        }
    }

    /**
     * Acts.
     *
     * @param json {@code {"key":"shop.example"}}; for {@code pause} also {@code "seconds"}, for {@code rate} also
     *             {@code "rate"} and {@code "burst"}; for {@code enabled} and {@code dry-run} {@code {"on":true}}
     * @throws IllegalArgumentException with what is wrong, for whoever asked
     * @throws IllegalStateException    likewise: it cannot be done as things are
     */
    void act(String name, String json) {
        Arguments a = Arguments.of(json);
        switch (name) {
            case "pause":
                control.pause(a.key(), a.whole("seconds", a.seconds));
                break;
            case "resume":
                control.resume(a.key());
                break;
            case "reset":
                control.reset(a.key());
                break;
            case "reset-stats":
                control.resetStats(a.key());
                break;
            case "rate":
                control.setRate(a.key(), a.number("rate", a.rate), (int) a.whole("burst", a.burst));
                break;
            case "enabled":
                control.setEnabled(a.on());
                break;
            case "dry-run":
                control.setDryRun(a.on());
                break;
            default:
                throw new AssertionError(name);
        }
    }

    /** What came with an action. */
    private static final class Arguments {
        private String key;
        private Boolean on;
        private double seconds = Double.NaN;
        private double rate = Double.NaN;
        private double burst = Double.NaN;

        static Arguments of(String json) {
            Arguments a = new Arguments();
            try (JsonReader r = new JsonReader(new StringReader(json))) {
                r.beginObject();
                while (r.hasNext()) {
                    a.take(r.nextName(), r);
                }
                r.endObject();
                if (r.peek() != JsonToken.END_DOCUMENT) {
                    throw new IllegalArgumentException("something follows the object");
                }
            } catch (IOException | IllegalStateException | NumberFormatException e) {
                throw new IllegalArgumentException("expected an object like {\"key\":\"shop.example\"}");
            }
            return a;
        }

        private void take(String name, JsonReader r) throws IOException {
            switch (name) {
                case "key":
                    key = r.nextString();
                    break;
                case "on":
                    on = r.nextBoolean();
                    break;
                case "seconds":
                    seconds = r.nextDouble();
                    break;
                case "rate":
                    rate = r.nextDouble();
                    break;
                case "burst":
                    burst = r.nextDouble();
                    break;
                default:
                    throw new IllegalArgumentException("there is nothing like that to say: expected key, seconds, rate, burst or on");
            }
        }

        String key() {
            if (key == null) {
                throw new IllegalArgumentException("key is missing");
            }
            return key;
        }

        boolean on() {
            if (on == null) {
                throw new IllegalArgumentException("on is missing: true or false");
            }
            return on;
        }

        /** What is too large for an int is none either. */
        long whole(String name, double given) {
            double n = number(name, given);
            if (n != Math.rint(n) || Math.abs(n) > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(name + " must be a whole number");
            }
            return (long) n;
        }

        double number(String name, double given) {
            if (Double.isNaN(given)) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return given;
        }
    }
}
