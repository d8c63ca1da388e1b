/**
 * Waiting for a permit's turn: {@link io.tempolimit.gate.Parking} on a thread that may block, {@link
 * io.tempolimit.gate.Hold} with no thread at all, by the agent's one {@link io.tempolimit.gate.Timer} thread. No client
 * types.
 */
package io.tempolimit.gate;
