/**
 * What people see of the limiter: the agent's log, the event log, statistics by JMX, and the report at the end.
 *
 * <p>{@link io.tempolimit.watch.Watch} is the limiter's listener and ties the rest together. Most runs should print
 * nothing, so what costs (slf4j, gson, a thread, JMX) is a class of its own that is loaded by its first use:
 * {@link io.tempolimit.watch.Log} loads slf4j with the first line that is really written; {@code EventLog}, its thread and
 * gson exist only if {@code events} is set; {@code Jmx} is the only class that links to {@code javax.management}.
 * {@code Report} and {@link io.tempolimit.watch.StatsJson} are pure: statistics in, text out.
 *
 * <p>Nothing here throws: who cannot write warns once, and the application goes on. Nothing here sees header values,
 * query strings or user info: URLs come from {@link io.tempolimit.core.Target#url()}.
 */
package io.tempolimit.watch;
