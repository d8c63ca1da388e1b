/**
 * What the tests of the finished jar stand on: {@link io.tempolimit.it.harness.Javas} finds runtimes,
 * {@link io.tempolimit.it.harness.Fork} runs a program on one of them with the agent,
 * {@link io.tempolimit.it.harness.Server} is what the program talks to and remembers what arrived,
 * {@link io.tempolimit.it.harness.Pacing} judges arrivals. A test judges by what reached the server and what the program saw.
 *
 * <p>Pacing is also judged where it is decided. {@link io.tempolimit.it.harness.Recording} tells when the gate let each
 * request go, by the gate's own clock.
 * Only tests can record: the harness makes a copy of the agent's jar and weaves into its {@code Key} and {@code Departure} calls of a
 * {@link io.tempolimit.it.programs.Recorder}, which comes with the copy. The finished jar has neither the class nor a
 * setting or listener for it, so a
 * production run pays nothing. This is the one place that knows the agent's insides, by two names of methods; it fails
 * if they are not there.
 * Tried and lost: a listener that hears of each request (a call on every request's path), and a second agent (the same
 * weaving, with more to load).
 * The recorder writes to memory that test and program share: a record is there before its request is sent, and nobody
 * who holds the key's lock waits for I/O.
 *
 * <p>{@link io.tempolimit.it.programs.Hiccups} measures in both JVMs how late threads are woken. What the site sees may
 * differ from what the gate decided
 * by half a request, and by what this explains. A check that so disturbed a machine leaves without a meaning is neither
 * passed nor failed but
 * {@link io.tempolimit.it.harness.Unjudged}. No check is tried a second time.
 */
package io.tempolimit.it.harness;
