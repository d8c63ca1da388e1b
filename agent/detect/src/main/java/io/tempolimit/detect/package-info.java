/** Blocks: what an answer says. A pure package: no client, no thread, no lock, no I/O but its own resource. */
package io.tempolimit.detect;
