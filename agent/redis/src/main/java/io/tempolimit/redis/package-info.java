/**
 * One limit for several JVMs, by way of Redis.
 *
 * <pre>
 *   {@code SharedKey}  ──▶ {@code RedisKey}        what is asked of Redis for one key
 *   {@code Fleet}      ──▶ {@code RedisFleet}      whether Redis is to be asked ({@code Health}, pure)
 *              ──▶ {@code Workers}     how many others there are
 *              ──▶ {@code Incidents}   what they publish
 *              ──▶ {@code Transport}   lettuce, on one daemon thread ({@code Loop}); five scripts
 * </pre>
 *
 * With sentinels there is a second thread, for reactor's timeouts.
 *
 * <p><b>What Redis has.</b> {@code <prefix>:{<key>}:bucket}, one string: the time at which the bucket is full again,
 * how many tokens it ever gave, which bucket it is and how often it has changed, and the windows' cells; {@code
 * :incident}, one string: state, deadline, count, rungs, what was learnt, and a version; {@code :probe}, which
 * worker probes, expiring with its lease. {@code <prefix>:{*}:incident} is the same for all keys with {@code
 * cooldown.scope=global} together; {@code <prefix>:workers} is the list of workers, {@code <prefix>:incidents} the
 * channel on which each new incident is published. Three strings and not one record: a request changes the bucket
 * alone, a string of 40 bytes, in two commands; each expires by itself once it carries nothing; {@code MGET} takes
 * what is no string for nothing, and {@code SET} replaces it, so a foreign value needs no care of its own.
 *
 * <p><b>Who decides.</b> The script decides what must be decided at once and by one clock: bucket, windows, whether
 * the key is closed, who probes. What an answer means (counts, trips, rungs, learning) is decided by the worker that
 * saw it, with the same state machine that a single JVM has; it writes the outcome if nobody else has meanwhile
 * ({@code judge.lua} compares versions), and judges anew from the other's outcome if somebody has. A state machine
 * in Lua beside the one in Java was not even tried.
 *
 * <p><b>A probe's lease</b> is for a worker that was killed, or cannot reach Redis any more: nobody can tell the others that its probe
 * will have no verdict, and they wait for half a minute. Whoever can tell does: a probe whose request is given up, a program that ends or
 * paces no more, a worker that may have been given a probe by an answer that it never got. {@code release.lua} publishes that, and
 * whoever waits asks at once. What is published may get lost, so while another's probe is under way a worker asks each five
 * seconds. To ask each second and publish nothing would be a second for all, and where a scraper's own network fails, all its hosts
 * would be probed at one time.
 *
 * <p><b>Times.</b> All times that cross the wire are differences to the server's "now", and become times of the
 * worker's monotonic clock when they arrive. So there is no mapping of clocks to keep: an answer that was long under
 * way makes a turn later, never earlier. The records have the time at which they were written; a server whose clock
 * is behind that (set back, or another server after a failover) moves all times in them back by as much, and nobody
 * waits for an hour. Where the server's clock has gone on by a second more than the worker's, that one stood still (its
 * machine was suspended), or the server's was set: what the worker was given before is void.
 *
 * <p><b>The bound.</b> A bucket that may be fuller than it should be is taken for empty: with each new link to a
 * server, and after the fallback, which itself starts from an empty bucket. So neither a restart that forgets
 * everything nor a return gives a second burst.
 *
 * <p><b>Alone.</b> What a worker takes while Redis does not decide is one rule, whatever the reason: Redis is
 * silent, refuses, is not reached yet, or is lost again at once. Who has counted the others, for longer than from a
 * beat of theirs to the next, takes its part of rate, burst and windows, by the last count. Who has not, takes no
 * burst, and of the rate what {@code redis.workers} says, else a tenth; where more were seen than that, less. It
 * begins with an empty bucket for each key, also for one that is new. {@code redis.fallback=local} takes the whole
 * rate, and no burst before the others were counted. After Redis was away the others are counted anew.
 *
 * <p><b>Back.</b> Whoever is back has the whole rate, while those that are not back have their parts beside it. With a
 * dozen workers that come back within a second or two, each outage would add a burst or more. So the first that could
 * share again writes down a moment three seconds ahead, and all begin then ({@code beat.lua}). Whoever waits for it
 * says so again and again. If nobody has for half a second, Redis was gone meanwhile, and the next one writes down
 * another moment: else some would begin at the old one, while the rest have to connect first. So where Redis comes and
 * goes each few seconds, all stay alone, and keep the bound by their parts. Attempts to connect are spread, for a storm
 * of them would hit a server that has just come up, but by less than three seconds. Who is refused tries again within that time, too: after
 * a password had been changed back, the last of four shared five seconds after the first, and 63 requests too many went. Where somebody has
 * shared all the time, to wait only makes a part last longer that is taken beside the whole rate. So the moment is published, and whoever
 * shares answers with a beat that names it: then it is now. A beat of before Redis was away cannot name it.
 *
 * <p><b>Gone.</b> A worker that goes by tokens that it has makes few calls that could fail. So while keys make calls it hears of Redis each
 * quarter of a second, and after one failure, or where a link breaks, it looks again each fifth of a second ({@code Pulse}). It goes over
 * to its part once three calls in a row have failed in 0.8 s, however often it calls: else busy workers would take their parts while the
 * others go by what they have. In that time a worker connects twice. (Of a dozen whose connections were killed, three needed more than
 * 0.4 s on a busy machine. They took their parts beside the others for four seconds each: 47 requests too many.) And its part begins with
 * a bucket that is empty when all others have noticed ({@code noticesWithin}).
 * Tried and lost: parts from the moment at which a worker notices. Of twelve workers at 100 a second that was up to 5.6 requests too many
 * where connections break, and 36 where nobody is told. Dropped: to use the slots until all have noticed, as far as the part allows. It
 * would save half a second of requests in each outage, by a third way of pacing.
 *
 * <p><b>Refused.</b> A failure mends by itself, or is a refusal ({@code Failure}): a password, a right, an unknown
 * host, TLS. Nobody waits for one; it is told at once and each minute, with host, port and the setting to change,
 * and tried every few seconds, for somebody may mend it at the other end. How long requests wait for the first
 * answer counts from when Redis is really asked, and anew with each step towards an answer ({@code Health}): loading
 * the client takes a second of CPU, which may be ten of time.
 *
 * <p><b>A bucket that is gone</b> (FLUSHALL, eviction, a failover to a replica that had not heard of the last
 * calls). Each bucket has a number of its own, and counts its changes. A worker says which one it has tokens of;
 * where that is not there, or is older, the one that is there is taken for empty, the script tells the others on the
 * channel, and whoever has slots of the old one gives them up and asks again. Who goes by slots that it has, and
 * asks for none, looks each second: it may not be allowed to listen, and a worker that knows of no bucket begins one
 * with its burst. A bucket ends by itself a minute after its last change at the soonest; what has to be there is
 * relied on for ten seconds less. A replica that was behind gets another number from the first that notices it, and then all do. Until
 * that one calls, the replica gives what others have been given already: as much as the rate lets go in the time by which it was behind.
 * Tried and lost: to tell it by the changes alone, which the calls after the failover soon make up for (183 tokens too many of twelve
 * workers, where it was 1.7 s behind).
 *
 * <p><b>A clock that is set forward</b> would fill buckets and empty windows. So a worker says what the time is there by its own clock,
 * as of its last answer. Where the server's is ahead of that by five seconds, and nobody has changed the bucket since, what is
 * stored moves on with the clock. It is the same for a worker whose clock stood still: then its bucket and its windows have stood still
 * as they do in a JVM alone. Less than that may be a call that was long under way. If the clock is set by more than a bucket is kept
 * for, its keys expire, and it is a bucket that is gone. It is the same for a worker that opens a host: a probe's own call has looked for
 * such a step, but an operator opens a host without a probe. Who opens a host of which he has no tokens knows no time, and then windows
 * forget that much.
 *
 * <p><b>Versions.</b> Whatever is stored begins with {@code v1}. A record that begins with another number is of a
 * later agent: it is neither read nor written over, one warning tells of it, and this worker takes its part of that
 * key's rate, as if the call had failed. What has no version is nobody's, and is replaced. Scripts of before there were margins read
 * what today's store. What a window has more than 100 ms ahead they take for void where a key opens, and a margin may be half a second.
 * That is one entry at the most, for a slot is never before the last one ({@code TwoVersionsTest}). With another version they would take
 * their parts beside the fleet instead, which is more.
 *
 * <p>What was reserved when a worker went over to its part is void for that time, and Redis has it reserved still. So when
 * Redis answers again it is asked whether it has that bucket, and what is still to come of it is used. Else nothing would
 * go before its end, and with {@code max-wait} most would be rejected.
 *
 * <p><b>Windows.</b> What a worker sends while it is alone is in no window of Redis', so it tells that when Redis answers again: its
 * requests' times, which the script puts in their places among those that are there. Where Redis has lost the windows, the script gives
 * nothing to a worker that knew them ({@code lost}), which then tells all that it has sent. A telling has a number, and {@code
 * :told:<worker>} remembers the last one: what was told again, since its answer was late, counts once. After a return and after a
 * loss nobody asks for half a second, so that all have told. What may be too much: a worker that is new, and comes between a loss and the
 * first that notices it, meets an empty window. What may be too little: of a replica that was behind, the last requests that it
 * knows may count twice.
 *
 * <p>What it cannot do: where some workers alone lose their way to Redis, they take their shares while the others, who know
 * nothing of that, still have all. The fleet is then above the rate by those shares, and below twice the rate. Dropped: that the
 * others give up the part of whoever is silent. A worker that was killed is as silent, and far more often; its part would
 * be lost. And it is known 15 seconds later only.
 *
 * <p><b>In the agent.</b> The module and its libraries are one entry of the agent's jar, {@code redis.jar},
 * relocated and without what is not used; a loader of its own opens that where {@code redis} is set, in memory. What
 * takes time, a second of CPU for lettuce and netty, is done on a thread of its own ({@code RedisFleet.open}), so a
 * program's start takes some 40 ms longer. It is done after the first lines of {@code main}: lettuce makes ForkJoinPool's common
 * pool, which programs configure there. Two classes stand in place of the libraries' own, {@code
 * org.slf4j.LoggerFactory} and lettuce's {@code EventRecorderHolder}: so nothing is printed, and neither
 * java.util.logging nor Flight Recorder is loaded. Netty's and reactor's system properties are relocated with their
 * classes, so those of an application mean nothing here.
 *
 * <p>Nothing here logs, quotes a message of lettuce's, or says more of an address than host and port.
 */
package io.tempolimit.redis;
