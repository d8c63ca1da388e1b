package io.tempolimit.core.limiter;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.fleet.FleetCount;
import io.tempolimit.core.fleet.FleetPacer;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.store.Fleet;

/** Hands what the shared store says to the keys that it is about. Thread-safe. */
final class FleetEvents implements Fleet.Listener {
    private final Listener listener;
    private final Keys keys;
    /** Null until it is known. */
    private volatile FleetCount count;

    FleetEvents(Listener listener, Keys keys) {
        this.listener = listener;
        this.keys = keys;
    }

    /** Counts the blocks of all keys that share a cooldown. */
    void count(FleetCount c) {
        count = c;
    }

    @Override
    public void lost(Fleet.State how, String why) {
        listener.fleetLost(how, why);
        look();
    }

    @Override
    public void restored(boolean again) {
        listener.fleetRestored(again);
        look();
        FleetCount all = count;
        if (all != null) {
            all.ask();
        }
    }

    private void look() {
        for (HostKey key : keys.all()) {
            pacer(key).lookNow();
        }
    }

    @Override
    public void incident(String name, Incident incident) {
        FleetCount all = count;
        if (all != null && name.equals(FleetCount.NAME)) {
            all.heard(incident);
            return;
        }
        HostKey key = keys.get(name);
        if (key != null) {
            pacer(key).heard(incident);
        }
    }

    @Override
    public void bucketLost(String name) {
        HostKey key = keys.get(name);
        if (key != null) {
            pacer(key).bucketLost();
        }
    }

    /** All keys of a limiter that has joined a fleet are paced so. */
    private static FleetPacer pacer(HostKey key) {
        return (FleetPacer) key.pacer;
    }

    @Override
    public void warning(String text) {
        listener.fleetWarning(text);
    }
}
