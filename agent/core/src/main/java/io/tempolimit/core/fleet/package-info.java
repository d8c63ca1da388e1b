/**
 * When who may go, where several JVMs share limits by a {@link io.tempolimit.core.store.Fleet}: turns are slots of the fleet's
 * bucket, and a key's circuit and what it learns are what the fleet's last {@link io.tempolimit.core.circuit.Incident} says, and
 * what has happened here since.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>the fleet comes and goes, a request arrives, settings change</td><td>{@link io.tempolimit.core.fleet.FleetPacer}, which
 * has the parts below</td></tr>
 * <tr><td>who has which slot, and where slots go that nobody uses</td><td>{@code FleetSlots}, with its {@code Lease}</td></tr>
 * <tr><td>how late a slot may be used</td><td>{@code Lateness}</td></tr>
 * <tr><td>what a worker pays to use slots later, as its threads wake late</td><td>{@code Margin}</td></tr>
 * <tr><td>what the fleet is asked, and what its answers do</td><td>{@code FleetCalls}</td></tr>
 * <tr><td>who goes as the fleet's probe</td><td>{@code FleetProbe}</td></tr>
 * <tr><td>what workers tell each other of blocks and cooldowns, and of what they have learnt</td><td>{@code FleetRecord}</td></tr>
 * <tr><td>when what could not be told is told again</td><td>{@code Retry}</td></tr>
 * <tr><td>what the other workers send</td><td>{@code OthersTraffic}</td></tr>
 * <tr><td>how the key is paced while the fleet does not answer</td><td>{@code FleetFallback}</td></tr>
 * <tr><td>which slots of before that are used when it answers again</td><td>{@code KeptSlots}</td></tr>
 * <tr><td>what went without the fleet's knowing, and is told when it answers again</td><td>{@code Untold}</td></tr>
 * <tr><td>what all have sent, where windows hold, as an outage begins</td><td>{@code SentByAll}</td></tr>
 * <tr><td>blocks and cooldowns of all keys that are counted together</td><td>{@link io.tempolimit.core.fleet.FleetCount}</td></tr>
 * </table>
 *
 * <p>API, for {@code limiter}: {@code FleetPacer} and {@code FleetCount}. May use: {@code core}, {@code queue}, {@code pace}, {@code
 * bucket}, {@code circuit}, {@code policy}, {@code runtime}, {@code store}.
 */
package io.tempolimit.core.fleet;
