/**
 * What the agent as a whole promises, whatever the client: it starts or says why not, keeps quiet, hides what it is made of, leaks nothing,
 * ends with its program, and shows what it does. Each test forks small programs, which stand in it as text ({@link
 * io.tempolimit.it.agent.Source}).
 *
 * <p>"Paced" is mostly shown without waiting: {@code on-limit=reject} with a bucket of one token that comes back after 50 s, so the second
 * request is rejected.
 */
package io.tempolimit.it.agent;
