/**
 * What the limiter needs of the JVM: a clock that a test can turn, chance that a test can seed, locks, threads that
 * belong to the agent, the process and its start.
 *
 * <p>May use: nothing of the agent. API (for clients, {@code watch}, {@code admin}, {@code config}, {@code state} and
 * {@code redis}): all but {@code BriefLock}.
 */
package io.tempolimit.core.runtime;
