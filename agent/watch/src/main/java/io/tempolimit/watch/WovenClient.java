package io.tempolimit.watch;

/** An HTTP client whose requests go through the gate. Immutable. */
final class WovenClient {
    final String name;
    /** May be null. */
    final String version;

    WovenClient(String name, String version) {
        this.name = name;
        this.version = version;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WovenClient && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return version == null ? name : name + " " + version;
    }
}
