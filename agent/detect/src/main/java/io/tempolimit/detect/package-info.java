/**
 * Whether an answer is a block: status, headers and bytes as they flow by in, a finding out. A pure package: no client,
 * no thread, no lock, no I/O but its own resource.
 *
 * <p>A body goes through a {@code PageReader}: {@code Inflate} and {@code Collect} undo its encodings on the side,
 * {@code Document} finds out what it is and in which charset, {@code Markup} with {@code Text} and {@code Tag} reads
 * HTML as a browser does, {@code Elements} says what each element means, and in what was last seen at each place (a
 * {@code Window}) the catalogue's {@code Strings} are looked for, all of them at once. A response takes at most 64 KB
 * of memory meanwhile: 24 KB on the heap beside zlib's 40 KB, or beside the 40 KB of brotli that are kept.
 *
 * <p>The texts in {@code src/main/catalogue} are made ready by the build ({@code Preparation}): to read them, and to find out what is
 * rare in their words, took a program's first answer 110 ms of processor time, of which the JIT compiler had most.
 * {@code Prepared} reads what comes out.
 */
package io.tempolimit.detect;
