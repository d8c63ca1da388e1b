/**
 * What people see of the limiter: the agent's log, the event log, statistics by JMX, and the report at the end.
 *
 * <p>{@link io.tempolimit.watch.Watch} is the limiter's listener. It fans out ({@code FanOut}) to four listeners, one
 * for each place where people look: {@code LogLines} (the log), {@code EventLines} (the event log),
 * {@code FlightRecorder} (JFR) and {@link io.tempolimit.watch.LastVerdicts} (the status page). They share nothing but
 * the limiter that they ask. So each says in one file what is seen there, one that fails silences no other, and a place
 * that nobody looks at costs nothing.
 *
 * <p>Both logs are a {@code LineWriter}: a bounded queue and a thread, so that no request waits for a pipe or a disk,
 * and losses are counted and told. {@link io.tempolimit.watch.Log} and {@code EventLog} each give it a sink: what a
 * line is, where it goes, and how a loss is told there.
 *
 * <p>Most runs should print nothing, so what costs (slf4j, gson, a thread, JMX) is a class of its own that is loaded by
 * its first use. The log's {@code LogSink} loads slf4j with the first line that is really written. {@code EventLog},
 * its thread and gson exist only if {@code events} is set. {@code Jmx} is the only class that links to
 * {@code javax.management}. {@code Report} and {@link io.tempolimit.watch.StatsJson} are pure: statistics in, text out.
 *
 * <p>Nothing here throws: who cannot write warns once, and the application goes on. Nothing here sees header values,
 * query strings or user info: URLs come from {@link io.tempolimit.core.request.Target#url()}.
 */
package io.tempolimit.watch;
