/**
 * A key, whole: what its answers say and do, what is learnt from them, and what an operator does.
 *
 * <table>
 * <caption>Which class to open</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>new settings, statistics, what an operator asks for</td><td>{@link io.tempolimit.core.key.HostKey}</td></tr>
 * <tr><td>a request with its answer</td><td>{@code Exchange}</td></tr>
 * <tr><td>what happens with an answer, from its head to its end</td><td>{@code Answers}</td></tr>
 * <tr><td>answers whose body may still change the verdict</td><td>{@code PendingVerdicts}</td></tr>
 * <tr><td>what a verdict does, and what the site tolerates</td><td>{@code Verdicts}, which holds {@code Learning} and {@code
 * Traffic}</td></tr>
 * <tr><td>what the site says of its limit</td><td>{@code SiteLimits}, {@code AnnouncedLimit}</td></tr>
 * <tr><td>pause, resume, another limit, reset</td><td>{@code Operator}</td></tr>
 * <tr><td>what would be lost with a key, and what is kept of it</td><td>{@link io.tempolimit.core.key.Retention}</td></tr>
 * </table>
 *
 * <h2>How an answer is judged</h2>
 *
 * <p>An answer's head is shown to the detector ({@code io.tempolimit.detect}) at once, its body as the application
 * reads it. An answer is judged in up to two steps. <em>The head acts at once</em>: a status that is a block counts, trips and
 * begins a cooldown, and a Retry-After begins its pause, whether anybody reads the body or not; for with many requests waiting, a
 * site would have had all of them before the first body is read. <em>The body only makes that more precise</em>: it names the
 * block (a challenge, and not just a 403), or shows a block where the head only asked to wait. So the listener hears of a block
 * once its body has been looked at, and of a cooldown with the block that began it; but not later than a second after anybody
 * last read in it, and not later than the next thing that happens to the key. There is one exception. Where the user has set
 * {@code detect.ignore} for a page that a body may turn out to be, its status alone does not count before that: to trip and to
 * take that back would reject requests for a site that the user has called harmless. Such an answer is judged by its
 * body, or by its head if nobody has read on for a second. {@code Unread} looks for answers that nobody reads; after
 * that nothing of theirs is kept.
 *
 * <p>API, for {@code limiter}: {@code HostKey} and {@code Retention}. May use: {@code core}, {@code queue}, {@code pace}, {@code
 * bucket}, {@code circuit}, {@code learn}, {@code memory}, {@code policy}, {@code request}, {@code runtime}.
 */
package io.tempolimit.core.key;
