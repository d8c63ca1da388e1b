/**
 * The limiter: who may send a request to which host, and when. No bytecode, no I/O, no client types, no threads of its
 * own, and a clock that a test can turn.
 *
 * <p>{@link io.tempolimit.core.Limiter} has a {@link io.tempolimit.core.Key} for each host; a key has a
 * {@link io.tempolimit.core.TokenBucket}; where the settings ask for them {@code Caps} (sliding {@code Window}s, requests in flight); after its
 * eighth request {@code Traffic} (what has passed); after its first block or failure a {@code Circuit} (cooldowns and probes) and
 * {@code Learning} (what the site tolerates); and an {@code AnnouncedLimit} where the site says what is left of its own. A request
 * gets a {@link io.tempolimit.core.Permit}: granted at once, or waiting for a turn that the key may move. Waiting itself
 * is the business of {@code io.tempolimit.gate}. An answer's head is shown to the detector ({@code io.tempolimit.detect}) at once, its {@link
 * io.tempolimit.core.Body} as the application reads it. {@code Streams} has the event streams that are open. What happens is told to a
 * {@link io.tempolimit.core.Listener}.
 *
 * <p>An answer is judged in up to two steps. <em>The head acts at once</em>: a status that is a block counts, trips and
 * rests, and a Retry-After begins its pause, whether anybody reads the body or not; for with many requests waiting, a
 * site would have had all of them before the first body is read. <em>The body only makes that more precise</em>: it
 * names the block (a challenge, and not just a 403), or shows a block where the head only asked to wait. So the
 * listener hears of a block once its body has been looked at, and of a rest with the block that began it; but not
 * later than a second after anybody last read in it, and not later than the next thing that happens to the key. There
 * is one exception. Where the user has set {@code detect.ignore} for a page that a body may turn out to be, its status
 * alone does not count before that: to trip and to take that back would reject requests for a site that the user has
 * called harmless. Such an answer is judged by its body, or by its head if nobody has read on for a second. {@code
 * Unread} looks for answers that nobody reads; after that nothing of theirs is kept.
 *
 * <p>Where limits are shared with other JVMs there is a {@link io.tempolimit.core.Fleet}, and each key has a {@code FleetKey}: its turns are slots of a {@code Lease}, and its
 * circuit and what it learns are what the fleet's last {@link io.tempolimit.core.Incident} says, and what has happened here since.
 */
package io.tempolimit.core;
