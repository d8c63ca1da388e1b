/**
 * {@code admin.port}: the status page, {@code /stats.json} and {@code /metrics}, served by the JDK's own web server on
 * threads of the agent. Loaded only if there is a port.
 *
 * <p>{@code Site} says what is served, {@code Doorkeeper} to whom, {@code Workers} and {@code Patience} by which
 * threads and for how long. {@code Board} reads the limiter's counters, once a second while somebody watches and else
 * once a minute; so a request does nothing more than without a port. {@code Feed} tells an open page what changed,
 * {@code Metrics} tells Prometheus, {@code Actions} does what an operator asks for, by the code that JMX uses.
 *
 * <p>The page is one file without anything from elsewhere, and without anything of what it shows: the browser gets that
 * as JSON, puts it into text nodes, and runs nothing that is not in the file, whose script and style the policy names
 * by their hashes.
 */
package io.tempolimit.admin;
