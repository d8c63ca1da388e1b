/**
 * The commands that talk to a JVM that runs: {@code attach} loads the agent into it, {@code status} asks it by its own
 * local management connector, and loads nothing. On Java 11 and later, whatever the other JVM is.
 *
 * <p>An attach hands over one text, the agent's arguments, and comes back without one; so the agent's answer goes
 * through a file that the command has made and names in the arguments' first line.
 */
package io.tempolimit.attach;
