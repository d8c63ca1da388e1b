/**
 * What the tests of the finished jar stand on: {@link io.tempolimit.it.harness.Javas} finds runtimes,
 * {@link io.tempolimit.it.harness.Fork} runs a program on one of them with the agent,
 * {@link io.tempolimit.it.harness.Server} is what the program talks to and remembers what arrived,
 * {@link io.tempolimit.it.harness.Pacing} judges arrivals. Nothing here knows the agent's insides: a test judges by what
 * reached the server and what the program saw.
 */
package io.tempolimit.it.harness;
