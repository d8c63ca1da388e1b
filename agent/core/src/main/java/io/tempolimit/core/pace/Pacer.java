package io.tempolimit.core.pace;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Reservation;

/**
 * What is asked of a pacer only because several JVMs may share limits. Here are the answers of a JVM that is alone; {@code
 * FleetPacer} has those of one in a fleet. All under the key's lock, but for what says that it takes it.
 *
 * <p>Bucket and pacer of a key are one object of two classes: a second object would cost each host 16 bytes, and each request a look
 * elsewhere in memory. Who takes tokens goes by {@link LocalPacer#bucket} all the same.
 */
abstract class Pacer extends TokenBucket {
    Pacer(long now) {
        super(now);
    }

    /** Whether turns are the fleet's slots. */
    public boolean together() {
        return false;
    }

    /** Whether limits are shared with other JVMs, be the fleet there or not. */
    public boolean inFleet() {
        return false;
    }

    /** The key is new, or paced again. Under the lock, or before anybody uses the key. */
    public void begin(Policy p, long now) {
    }

    /** Other settings hold from now on. */
    public void settings(Policy before, Policy p, Limit limit, long now) {
    }

    /** Looks whether the fleet answers. */
    protected void lookAtFleet(long now) {
    }

    /** A request arrives, and the fleet decides: it is granted, rejected or waits. Takes the lock. */
    protected boolean arrives(Reservation permit, long now) throws RequestRejectedException {
        return false;
    }

    /** The first of those who wait in a cooldown asks whether it may go as the probe; false if nobody has to be asked. */
    protected boolean asksForProbe(Reservation first, Circuit c, Policy p, long now) {
        return false;
    }

    /** The probe will have no verdict. */
    protected void probeLost(long now) {
    }

    /** Of a limit, what this worker may take now. */
    protected Limit part(Limit all) {
        return all;
    }

    /** Of the windows, what this worker may take now. */
    protected WindowLimit[] windows(WindowLimit[] all) {
        return all;
    }

    /** What makes those wait who are rejected for a window; null if that is one of this JVM's. */
    protected WindowLimit limitingWindow() {
        return null;
    }

    /** What slots there are is void, whoever has them. */
    protected void loseSlots(long now) {
    }

    /** Asks the fleet for what is missing. */
    public void askFleet(long now) {
    }

    /** Something has happened to the circuit; the fleet shall know, and may have to do it once more. Before turns are handed out anew. */
    public void changed(Circuit.Effect effect, Circuit.Change change) {
    }

    /** Another rate was learnt. */
    public void learned() {
    }

    /** What has happened is told to the fleet now, if that is not under way. */
    public void tellFleet(long now) {
    }

    /** Requests of other workers, of which the fleet has told, are counted up to now. */
    public void countOthers(long now) {
    }
}
