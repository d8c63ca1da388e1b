/**
 * Puts the parts together, once for the agent and once for the commands. The only package that knows all the others; a
 * new client is a line in {@code Clients}, a new command a case in {@code Commands}.
 */
package io.tempolimit.start;
