/**
 * The limiter: who may send a request to which host, and when. No bytecode, no I/O, no client types, no threads of its
 * own, and a clock that a test can turn.
 *
 * <p>This package is what clients, {@code watch}, {@code admin} and {@code start} see of a host and its requests, all of it
 * API but {@link io.tempolimit.core.Streams}: a {@link io.tempolimit.core.Key} for each host, a {@link
 * io.tempolimit.core.Permit} for each request, the {@link io.tempolimit.core.Body} of its answer, and the {@link
 * io.tempolimit.core.Listener} that hears what happens. {@link io.tempolimit.core.limiter.Limiter} gives permits and keys.
 * Waiting itself is the business of {@code io.tempolimit.gate}.
 *
 * <p>The packages below it are its parts; each says in its own notes which class to open for what. Those further up use those
 * further down, never the reverse.
 *
 * <table>
 * <caption>The packages</caption>
 * <tr><th>package</th><th>question</th></tr>
 * <tr><td>{@code limiter}</td><td>which key a request belongs to, and which keys there are</td></tr>
 * <tr><td>{@code fleet}</td><td>when who may go, where several JVMs share limits</td></tr>
 * <tr><td>{@code key}</td><td>what an answer says, and what an operator does</td></tr>
 * <tr><td>{@code pace}</td><td>whether and when a request goes</td></tr>
 * <tr><td>{@code queue}</td><td>who waits, what they have reserved, what is in flight</td></tr>
 * <tr><td>{@code core} itself</td><td>what others see of a key, a permit and a body</td></tr>
 * <tr><td>{@code store}, {@code circuit}, {@code learn}, {@code bucket}, {@code memory}, {@code policy}, {@code runtime}, {@code
 * request}</td><td>parts that know no key: a store for several JVMs, blocks and trips, what a site tolerates, the arithmetic of a
 * rate and of a window, what is forgotten when, settings, clock and locks, targets</td></tr>
 * </table>
 *
 * <p>A key is one object in three storeys: {@code Key} is what others see, {@code PacedKey} lets requests go, {@code HostKey}
 * judges their answers. So is a permit: {@code Permit}, {@code Reservation}, {@code Exchange}. One object of three classes costs
 * a host less than three objects, and each package sees as much of it as it has to.
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
 * <p>May use: {@code memory}, {@code policy}, {@code request}, {@code runtime}, {@code store}.
 */
package io.tempolimit.core;
