/** What runs in the forked JVM: one program that takes commands, and an adapter for each client. */
package io.tempolimit.it.programs;
