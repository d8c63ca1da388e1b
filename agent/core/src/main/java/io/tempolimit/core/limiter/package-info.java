/**
 * The way in: {@link io.tempolimit.core.limiter.Limiter} finds the key of a request, and the key decides.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>what is asked before the key is</td><td>{@code Limiter}</td></tr>
 * <tr><td>which keys there are, and which are forgotten</td><td>{@code Keys}, with an {@code EvictionOrder}</td></tr>
 * <tr><td>what is known of keys that were forgotten, or of an earlier run</td><td>{@code Attic}</td></tr>
 * <tr><td>what a shared store says, and to which key</td><td>{@code FleetEvents}</td></tr>
 * <tr><td>requests that the settings leave out</td><td>{@code LeftOut}</td></tr>
 * <tr><td>user agents that sites refuse at sight</td><td>{@code SeenUserAgents}</td></tr>
 * </table>
 *
 * <p>API, for all other modules: {@code Limiter}. May use all other packages of {@code core}.
 */
package io.tempolimit.core.limiter;
