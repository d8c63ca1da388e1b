package io.tempolimit.redis;

import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;

/** The way into this package; loaded by name where the settings ask for Redis, from a loader of its own. */
public final class Redis implements Fleet.Factory {
    @Override
    public Fleet start(FleetSettings settings, Fleet.Listener listener) {
        return RedisFleet.start(settings, listener, Clock.SYSTEM);
    }
}
