/** What clients that drive a browser have in common. The browser is another process: what it sends is no request of this JVM. */
package io.tempolimit.weave.browser;
