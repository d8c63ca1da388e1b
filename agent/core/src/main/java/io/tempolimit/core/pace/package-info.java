/**
 * Whether and when a request goes. {@link io.tempolimit.core.pace.PacedKey} coordinates; its parts live under its lock. What only
 * busy or blocked hosts need is made on demand. Classes with static methods alone have no state but the permits'.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>how a request comes in: what is asked in which order</td><td>{@code Arrival}; in a dry run {@code DryRun}</td></tr>
 * <tr><td>who is granted, who looks again</td><td>{@code PacedKey}</td></tr>
 * <tr><td>when who may go, and which limit holds</td><td>{@code LocalPacer}; the arithmetic is in {@code Plan}</td></tr>
 * <tr><td>what a cooldown and a probe mean for those who arrive or wait</td><td>{@code Cooldown}, which holds the {@code
 * Circuit}</td></tr>
 * <tr><td>who leaves the client's own queue too late, is not sent, or gives its place back</td><td>{@code Departure}</td></tr>
 * <tr><td>how a request is rejected, and what the application is told</td><td>{@code Rejections}</td></tr>
 * <tr><td>what is counted</td><td>{@code KeyCounters}</td></tr>
 * <tr><td>what the listener is told once the lock is free</td><td>the outbox of {@code KeyLock}; of a verdict, {@code Outcome}</td></tr>
 * <tr><td>what all keys share</td><td>{@code Common}</td></tr>
 * <tr><td>which request follows a redirect that asks to wait</td><td>{@code Redirects}</td></tr>
 * <tr><td>who looks for answers that nobody reads</td><td>{@code Unread}</td></tr>
 * </table>
 *
 * <p>{@code LocalPacer} decides by this JVM's bucket alone. Where several JVMs share limits, {@code fleet.FleetPacer} extends it.
 * {@code Pacer} lists what that does beside.
 *
 * <p>Tried and lost: to reserve a waiter's turn without the lock, before it is entered. Of two requests that arrive at once, the one
 * that is first in the bucket may then be second in the queue. If it looks late, nobody behind it moves. The next one goes too early.
 *
 * <p>API, for {@code key}, {@code fleet} and {@code limiter}: what is public. May use: {@code core}, {@code queue}, {@code bucket},
 * {@code circuit}, {@code policy}, {@code request}, {@code runtime}.
 */
package io.tempolimit.core.pace;
