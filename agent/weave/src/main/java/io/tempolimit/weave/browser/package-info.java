/** What clients that drive a browser have in common. The browser is another process, and sends by itself. */
package io.tempolimit.weave.browser;
