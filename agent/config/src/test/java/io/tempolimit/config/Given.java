package io.tempolimit.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sources for tests, as one writes them. */
record Given(String arguments, Map<String, String> properties, Map<String, String> environment) {
    static Given nothing() {
        return new Given(null, Map.of(), Map.of());
    }

    static Given arguments(String arguments) {
        return nothing().withArguments(arguments);
    }

    static Given property(String name, String value) {
        return nothing().withProperty(name, value);
    }

    static Given environment(String name, String value) {
        return nothing().withEnvironment(name, value);
    }

    Given withArguments(String arguments) {
        return new Given(arguments, properties, environment);
    }

    Given withProperty(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new Given(arguments, more, environment);
    }

    Given withEnvironment(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new Given(arguments, properties, more);
    }

    Sources sources() {
        return new Sources(arguments, properties, environment);
    }

    Settings load() throws BadSettings {
        return Settings.load(sources());
    }

    /** The faults' lines; empty if there are none. */
    List<String> faults() {
        try {
            load();
            return List.of();
        } catch (BadSettings e) {
            return e.faults().stream().map(Fault::toString).toList();
        }
    }
}
