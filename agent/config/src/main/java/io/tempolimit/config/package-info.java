/**
 * The settings: from five sources to what holds for one host.
 *
 * <p>{@link io.tempolimit.config.SettingKey} is the table of all keys; a new key is one row there. {@code Kind} turns a
 * value's text into an object or says why not. {@code Loader} goes through the {@link io.tempolimit.config.Sources}
 * from the strongest to the weakest, fills what is still empty and collects every {@link io.tempolimit.config.Fault}.
 * The result, {@link io.tempolimit.config.Settings}, is immutable; a changed file gives a new one.
 *
 * <p>Loading runs in an agent's premain, before the application: no {@code java.nio.file}, no logging, no regular
 * expressions, no lambdas, few classes. What only some programs need has a class of its own and is loaded when used:
 * {@code JsonFile} (and gson) with a file, {@code Nearest} with a fault, {@code PrivateHosts} and {@code ServiceHosts}
 * with the first host.
 */
package io.tempolimit.config;
