/**
 * What Flight Recorder is told. Links to {@code jdk.jfr}, which a Java may lack, and is compiled for 11; so it is a
 * module of its own, and who calls it counts on a {@link LinkageError}. While nobody records, an event costs the
 * question whether anybody does.
 */
package io.tempolimit.jfr;
