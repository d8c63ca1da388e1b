/**
 * The limiter: who may send a request to which host, and when. No bytecode, no I/O, no client types, no threads of its
 * own, and a clock that a test can turn.
 *
 * <p>{@link io.tempolimit.core.Limiter} has a {@link io.tempolimit.core.Key} for each host; a key has a
 * {@link io.tempolimit.core.TokenBucket}; where the settings ask for them {@code Caps} (sliding {@code Window}s, requests in flight); after its
 * eighth request {@code Learning} (what the site tolerates), and after its first block a {@code Circuit} (cooldowns and probes). A request
 * gets a {@link io.tempolimit.core.Permit}: granted at once, or waiting for a turn that the key may move. Waiting itself
 * is the business of {@code io.tempolimit.gate}. An answer's head is shown to the detector ({@code io.tempolimit.detect}) at once, its {@link
 * io.tempolimit.core.Body} as the application reads it. {@code Streams} has the event streams that are open. What happens is told to a
 * {@link io.tempolimit.core.Listener}.
 *
 * <p>Where limits are shared with other JVMs there is a {@link io.tempolimit.core.Fleet}, and each key has a {@code FleetKey}: its turns are slots of a {@code Lease}, and its
 * circuit and what it learns are what the fleet's last {@link io.tempolimit.core.Incident} says, and what has happened here since.
 */
package io.tempolimit.core;
