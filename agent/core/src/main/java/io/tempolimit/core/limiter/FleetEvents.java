package io.tempolimit.core.limiter;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.fleet.FleetCount;
import io.tempolimit.core.fleet.FleetPacer;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.pace.Common;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;

/**
 * Hands what the shared store says to the keys that it is about. Thread-safe. All that the limiter knows of a fleet is here, so that a
 * JVM that is alone loads none of it.
 */
final class FleetEvents implements Fleet.Listener {
    private final Listener listener;
    private final Keys keys;
    /** Counts the blocks of all keys that share a cooldown; null until it is known. */
    private volatile FleetCount count;

    private FleetEvents(Listener listener, Keys keys) {
        this.listener = listener;
        this.keys = keys;
    }

    /** These keys share their limits with other JVMs from now on. */
    static Fleet join(Fleet.Factory factory, FleetSettings settings, Keys keys, Common common) {
        FleetEvents events = new FleetEvents(common.listener, keys);
        Fleet fleet = factory.start(settings, events);
        FleetCount count = new FleetCount(common, fleet.key(FleetCount.NAME));
        events.count = count;
        common.share((key, limit, now) -> new FleetPacer(key, limit, fleet, settings, count, now), count);
        keys.share();
        return fleet;
    }

    /** The program ends: the others need not wait for its probes. */
    static void leave(Keys keys) {
        for (HostKey key : keys.all()) {
            pacer(key).leave();
        }
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

    @Override
    public void probeGivenUp(String name) {
        HostKey key = keys.get(name);
        if (key != null) {
            pacer(key).probeGivenUp();
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
