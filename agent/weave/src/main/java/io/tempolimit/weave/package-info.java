/**
 * Weaving: how the gate gets into the classes of HTTP clients.
 *
 * <pre>
 * boot      java.lang.TempolimitBridge              the one class that woven code calls
 * agent     AgentLoader: core, config, weave, …      extends the bridge ({@link io.tempolimit.weave.Gateway}); sees no application
 * app       HookLoader, one per client and loader    the client's hooks, which link to its types; children of both
 * </pre>
 *
 * A client is a {@link io.tempolimit.weave.Client}: a list of {@link io.tempolimit.weave.Site}s (class, method, hook class), all
 * by name, so that nothing of it loads before its classes show up. {@link io.tempolimit.weave.Transformer} compares names
 * and asks {@link io.tempolimit.weave.Weaver} for the bytecode; a woven method calls the bridge, which finds the
 * {@link io.tempolimit.weave.Hook} of that class. Two shapes are woven: a <em>gate</em> may answer in place of the
 * method, and a <em>watch</em> sees the method's end, too. Both add instructions only: no member, no interface, no
 * helper class, so classes that are loaded already can be woven as well.
 *
 * <p>SDKs carry copies of some clients under other names. A copy is told by the end of a class's name, and its hooks
 * are read with their names moved as its own are ({@link io.tempolimit.weave.Relocation}). Clients that are part of
 * another Java agent are woven like all, since a transformer must not open jars to find out, and get no hooks
 * ({@link io.tempolimit.weave.OtherAgents}).
 *
 * <p>Tried and lost (by research that is not part of this repository): {@code AgentBuilder} (half a second at start), Byte Buddy's advice
 * (ten times the cost of its bundled ASM for the first classes), {@code invokedynamic} (illegal in old class files),
 * weaving the clients' public facades (counts wrappers twice and redirects not at all), a writer of our own that copies all but the
 * woven methods (30 to 40 ms less for a first request, but 650 lines that have to learn each new class file format).
 */
package io.tempolimit.weave;
