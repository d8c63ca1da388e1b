package com.google.gson.internal.bind;

import com.google.gson.stream.JsonReader;
import java.io.Reader;

/**
 * Stands in for gson's reader of trees in memory, which the agent never makes, with half of gson behind it.
 * {@link JsonReader} asks whether it is one whenever a number is not what it should be. It would fail with a
 * NoClassDefFoundError instead of telling what is wrong.
 */
public final class JsonTreeReader extends JsonReader {
    private JsonTreeReader(Reader none) {
        super(none);
    }
}
