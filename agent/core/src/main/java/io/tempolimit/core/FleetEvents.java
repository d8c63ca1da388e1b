package io.tempolimit.core;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.store.Fleet;

/** Hands what the shared store says to the keys that it is about. Thread-safe. */
final class FleetEvents implements Fleet.Listener {
    private final Limiter limiter;
    private final Keys keys;

    FleetEvents(Limiter limiter, Keys keys) {
        this.limiter = limiter;
        this.keys = keys;
    }

    @Override
    public void lost(Fleet.State how, String why) {
        limiter.listener().fleetLost(how, why);
        look();
    }

    @Override
    public void restored(boolean again) {
        limiter.listener().fleetRestored(again);
        look();
        FleetCount all = limiter.fleetCount();
        if (all != null) {
            all.ask();
        }
    }

    private void look() {
        for (Key key : keys.all()) {
            if (key.fleet != null) {
                key.fleet.lookNow();
            }
        }
    }

    @Override
    public void incident(String name, Incident incident) {
        FleetCount all = limiter.fleetCount();
        if (all != null && name.equals(FleetCount.NAME)) {
            all.heard(incident);
            return;
        }
        Key key = keys.get(name);
        if (key != null && key.fleet != null) {
            key.fleet.record.heard(incident);
        }
    }

    @Override
    public void bucketLost(String name) {
        Key key = keys.get(name);
        if (key != null && key.fleet != null) {
            key.fleet.calls.bucketLost();
        }
    }

    @Override
    public void warning(String text) {
        limiter.listener().fleetWarning(text);
    }
}
