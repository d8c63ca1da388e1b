package io.tempolimit.weave;

/** Hears what weaving has to say. Thread-safe. */
public interface Reporter {
    /** The first request of this client, in this loader, is on its way through the gate. */
    void woven(String client, String version);

    /** The first request of this program is on its way, of whatever client. */
    void looksOn();

    /** A client is not paced, and why. Said once for each. */
    void notPaced(String client, String reason);

    /** What other clients send is not counted, and why. */
    void notCounted(String what, String reason);

    /** A client is left alone, since it is part of another agent. */
    void spared(String client);

    /** An error inside the agent; the request went on as if there were no agent. */
    void trouble(Throwable error);
}
