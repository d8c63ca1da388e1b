/**
 * Waiting for a permit's turn. No client types.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>a wait on a thread that may block</td><td>{@link io.tempolimit.gate.Parking}</td></tr>
 * <tr><td>a wait with no thread at all</td><td>{@link io.tempolimit.gate.Hold}, by the agent's one {@link
 * io.tempolimit.gate.Timer} thread</td></tr>
 * <tr><td>how the application cancels a wait, or closes its client meanwhile</td><td>{@link io.tempolimit.gate.Waits}, {@link
 * io.tempolimit.gate.Closings}, {@link io.tempolimit.gate.HeldCalls}</td></tr>
 * <tr><td>on which thread a call goes on</td><td>the client's own; else {@link io.tempolimit.gate.Lanes}, each a {@link
 * io.tempolimit.gate.Lane}</td></tr>
 * <tr><td>which bodies a call or connection has open</td><td>{@link io.tempolimit.gate.OpenBodies}</td></tr>
 * <tr><td>what belongs to an object of a client</td><td>{@link io.tempolimit.gate.WeakMap}</td></tr>
 * <tr><td>whether the stack has room for a hook</td><td>{@link io.tempolimit.gate.Headroom}</td></tr>
 * </table>
 */
package io.tempolimit.gate;
