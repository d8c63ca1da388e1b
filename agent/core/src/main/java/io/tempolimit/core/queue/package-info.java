/**
 * Who waits at one key, what they have reserved, and what is in flight. Knows no key and no circuit, so that it can be checked
 * alone. All of it is guarded by the key's lock, which its users take.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>when a request's turn is, and what it has taken for it</td><td>{@link io.tempolimit.core.queue.Reservation}</td></tr>
 * <tr><td>who waits, in which order</td><td>{@link io.tempolimit.core.queue.WaitQueue}</td></tr>
 * <tr><td>what makes a queue of thousands cheap</td><td>{@link io.tempolimit.core.queue.Backlog}</td></tr>
 * <tr><td>what windows and places in flight allow</td><td>{@link io.tempolimit.core.queue.Caps}</td></tr>
 * </table>
 *
 * <p>API, for {@code pace}, {@code key}, {@code fleet} and {@code limiter}: all four. May use: {@code core}, {@code bucket}, {@code
 * policy}, {@code request}, {@code runtime}.
 */
package io.tempolimit.core.queue;
