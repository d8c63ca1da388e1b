/**
 * The limiter: who may send a request to which host, and when. No bytecode, no I/O, no client types, no threads of its
 * own, and a clock that a test can turn.
 *
 * <p>{@link io.tempolimit.core.Limiter} has a {@link io.tempolimit.core.Key} for each host. A request gets a {@link
 * io.tempolimit.core.Permit}: granted at once, or waiting for a turn that the key may move. Waiting itself is the
 * business of {@code io.tempolimit.gate}. What happens is told to a {@link io.tempolimit.core.Listener}.
 *
 * <p>API, for clients, {@code watch}, {@code admin}, {@code state} and {@code start}: {@link
 * io.tempolimit.core.Limiter}, {@link io.tempolimit.core.Key}, {@link io.tempolimit.core.KeyStats}, {@link
 * io.tempolimit.core.Permit}, {@link io.tempolimit.core.Body}, {@link io.tempolimit.core.Listener}, {@link
 * io.tempolimit.core.Rejection} and {@link io.tempolimit.core.Unseen}. All else here is for this package. It may use
 * all packages below it; none of them uses it.
 *
 * <h2>Which class to open</h2>
 *
 * <p>A key is a coordinator and its parts. The parts live under the key's lock. What only busy or blocked hosts need is
 * made on demand; parts without state (those that have only static methods, or are made for one call) cost a host
 * nothing.
 *
 * <table>
 * <caption>The parts of a key</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>how a request comes in: what is asked in which order</td><td>{@code Arrival}; in a dry run {@code DryRun}</td></tr>
 * <tr><td>who is granted, who looks again, new settings</td><td>{@link io.tempolimit.core.Key}</td></tr>
 * <tr><td>when who may go</td><td>{@code LocalPacer}, with a {@link io.tempolimit.core.bucket.TokenBucket} and, where the
 * settings ask for them, {@code Caps} (sliding {@code Window}s, requests in flight); the arithmetic is in {@code Plan}</td></tr>
 * <tr><td>who waits, and what they have reserved</td><td>{@code WaitQueue}, a {@code PermitList}; a long one has a {@code
 * Backlog}</td></tr>
 * <tr><td>who leaves the client's own queue too late, is not sent, or gives its place back</td><td>{@code Departure}</td></tr>
 * <tr><td>what happens with an answer, from its head to its end</td><td>{@code Answers}, with a {@link io.tempolimit.core.Body}</td></tr>
 * <tr><td>answers whose body may still change the verdict</td><td>{@code PendingVerdicts}, looked after by {@code Unread}</td></tr>
 * <tr><td>what a verdict does</td><td>{@code Verdicts}</td></tr>
 * <tr><td>what the site tolerates</td><td>{@code Learning}, from {@code Traffic}; both are held by {@code Verdicts}</td></tr>
 * <tr><td>what the site says of its limit</td><td>{@code SiteLimits}, {@code AnnouncedLimit}</td></tr>
 * <tr><td>which limit holds</td><td>{@code LocalPacer.takeOver}: settings, learned, announced, the fleet's</td></tr>
 * <tr><td>blocks, trips, rungs</td><td>{@code Circuit}, a state machine</td></tr>
 * <tr><td>what a cooldown and a probe mean for those who arrive or wait</td><td>{@code Cooldown}, which holds the circuit</td></tr>
 * <tr><td>how a request is rejected, and what the application is told</td><td>{@code Rejections}</td></tr>
 * <tr><td>statistics</td><td>{@code KeyCounters}, {@link io.tempolimit.core.KeyStats}</td></tr>
 * <tr><td>pause, resume, another limit, reset</td><td>{@code Operator}</td></tr>
 * <tr><td>what is kept when a key is forgotten, and over a restart</td><td>{@code Retention}, {@code Attic},
 * {@link io.tempolimit.core.memory.Remembered}</td></tr>
 * <tr><td>what the listener is told once the lock is free</td><td>the outbox of {@code KeyLock}; of a verdict, {@code Told}</td></tr>
 * </table>
 *
 * <table>
 * <caption>The parts of a key whose limits are shared with other JVMs</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>the fleet comes and goes, a request arrives, settings change</td><td>{@code FleetKey}, which has the parts below</td></tr>
 * <tr><td>who has which slot, and where slots go that nobody uses</td><td>{@code FleetSlots}, with a {@code Lease}</td></tr>
 * <tr><td>what the fleet is asked, and what its answers do</td><td>{@code FleetCalls}</td></tr>
 * <tr><td>who goes as the fleet's probe</td><td>{@code FleetProbe}</td></tr>
 * <tr><td>what workers tell each other of blocks and rests, and of what they have learnt</td><td>{@code FleetRecord}, with
 * {@link io.tempolimit.core.circuit.Incident}s</td></tr>
 * <tr><td>what the other workers send</td><td>{@code OthersTraffic}</td></tr>
 * <tr><td>how the key is paced while the fleet does not answer</td><td>{@code FleetFallback}</td></tr>
 * <tr><td>blocks and rests of all keys that are counted together</td><td>{@code FleetCount}</td></tr>
 * </table>
 *
 * <p>Why these parts. {@code LocalPacer} and {@code Verdicts} are there for each host from its beginning, since their
 * fields are. A third such object would make each host heavier than one class with all fields: so {@code Answers},
 * {@code Arrival}, {@code Departure} and {@code Plan} have no state but the permits', and {@code Verdicts} holds what
 * was learnt. {@code WaitQueue} knows no limit, so that it can be checked alone. Turns are handed out by {@code
 * LocalPacer} or by {@code FleetSlots}, to the same queue; there is no interface above the two, for the fleet's side
 * also paces by the local bucket while the fleet does not answer.
 *
 * <h2>How an answer is judged</h2>
 *
 * <p>An answer's head is shown to the detector ({@code io.tempolimit.detect}) at once, its body as the application
 * reads it. {@code Streams} has the event streams that are open. An answer is judged in up to two steps. <em>The head
 * acts at once</em>: a status that is a block counts, trips and rests, and a Retry-After begins its pause, whether
 * anybody reads the body or not; for with many requests waiting, a site would have had all of them before the first
 * body is read. <em>The body only makes that more precise</em>: it names the block (a challenge, and not just a 403),
 * or shows a block where the head only asked to wait. So the listener hears of a block once its body has been looked
 * at, and of a rest with the block that began it; but not later than a second after anybody last read in it, and not
 * later than the next thing that happens to the key. There is one exception. Where the user has set {@code
 * detect.ignore} for a page that a body may turn out to be, its status alone does not count before that: to trip and to
 * take that back would reject requests for a site that the user has called harmless. Such an answer is judged by its
 * body, or by its head if nobody has read on for a second. {@code Unread} looks for answers that nobody reads; after
 * that nothing of theirs is kept.
 *
 * <h2>Rules that all parts keep</h2>
 *
 * <ul>
 * <li>A key's lock is held for microseconds, never while another key's is, and never while a listener is called: what a
 * listener is told goes into the lock's outbox, which whoever releases the lock delivers.</li>
 * <li>Without the lock, the pacer's version is read before everything, and the circuit's epoch before its state.</li>
 * <li>A permit is in one list at most: among the waiters, among those that come later, or among the answers not yet judged.</li>
 * </ul>
 *
 * <p>Where limits are shared with other JVMs there is a {@link io.tempolimit.core.store.Fleet}, and each key has a
 * {@code FleetKey}: its turns are slots of a {@code Lease}, and its circuit and what it learns are what the fleet's
 * last {@link io.tempolimit.core.circuit.Incident} says, and what has happened here since.
 */
package io.tempolimit.core;
