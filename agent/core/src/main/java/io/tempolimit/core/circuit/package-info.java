/**
 * Blocks, trips and rungs of one key: {@link io.tempolimit.core.circuit.Circuit} is a state machine without a lock, a
 * clock or a bucket. {@link io.tempolimit.core.circuit.Incident} is its state as other JVMs get it.
 *
 * <p>May use: {@code learn}, {@code policy} and {@code runtime}. API (for clients, {@code watch}, {@code admin}, {@code
 * config}, {@code state} and {@code redis}): {@code Incident}.
 */
package io.tempolimit.core.circuit;
