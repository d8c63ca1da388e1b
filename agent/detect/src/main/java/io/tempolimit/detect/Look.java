package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A look at one answer: first its head, then as much of its body as matters. Used by one thread at a time; never throws. */
public final class Look {
    /** What a finding calls the rule that was none of the catalogue's: the settings' statuses, and what is normal on the host. */
    static final String STATUS = "status";
    static final String BASELINE = "baseline";
    /** So much makes a block. */
    private static final int BLOCK = 50;
    /** A document with nothing in it is not longer than this. */
    private static final int BLANK_BYTES = 2000;

    private final Compiled compiled;
    private final DetectRules rules;
    private final Baseline baseline;
    private final String method;
    private final String path;
    private final int status;
    private final boolean decoded;
    private final String contentType;
    private final String contentEncoding;
    private final MediaType type;
    private final boolean refresh;
    private final boolean rendered;
    private final long[] headerRules;
    private final long retryAfter;
    private final String location;
    private final long redirectWait;
    private final Announced announced;

    private final Finding head;
    private final boolean settled;
    /** Counts the host's answers in JSON, if this is one of them; else null. */
    private final EmptyResults results;
    /** So many bytes of the body are looked at. */
    private final int limit;
    /** The user's rules that only the body can decide now, by number; null: none. */
    private int[] pending;
    private PageReader reader;
    private Finding end;
    private String unreadableEncoding;
    private List<Score> scores = Collections.emptyList();

    /** A look that knows the status alone. */
    Look(int status, DetectRules rules) {
        compiled = null;
        this.rules = rules;
        baseline = null;
        method = "";
        path = null;
        this.status = status;
        decoded = false;
        contentType = null;
        contentEncoding = null;
        type = MediaType.NONE;
        refresh = false;
        rendered = false;
        headerRules = null;
        retryAfter = Finding.NO_WAIT;
        location = null;
        redirectWait = Finding.NO_WAIT;
        announced = null;
        head = byStatus(null);
        settled = true;
        results = null;
        limit = 0;
    }

    Look(Compiled compiled, String method, String host, String path, int status, boolean decoded, HeadReading reading,
            DetectRules rules, Baseline baseline) {
        this.compiled = compiled;
        this.rules = rules;
        this.baseline = baseline;
        this.method = method;
        this.path = path;
        this.status = status;
        this.decoded = decoded;
        contentType = reading.contentType;
        contentEncoding = reading.contentEncoding;
        type = MediaType.of(contentType);
        refresh = reading.refresh;
        rendered = reading.rendered;
        headerRules = reading.rules;
        location = status >= 300 && status < 400 && status != 304 ? reading.location : null;
        boolean byHost = status == 429 || status == 503 || status == 403;
        long asked = rules.obeyWaits() && reading.waits != null && (byHost || location != null)
                ? reading.waits.asked(reading.date, System.currentTimeMillis())
                : Finding.NO_WAIT;
        retryAfter = byHost ? asked : Finding.NO_WAIT;
        redirectWait = byHost ? Finding.NO_WAIT : asked;
        announced = rules.obeyWaits() && reading.waits != null && !byHost
                ? reading.waits.announced(reading.date, System.currentTimeMillis()) : null;

        Finding finding = byOwnRules(host, reading);
        finding = finding == null ? byHead(host, reading) : finding;
        boolean empty = "0".equals(reading.contentLength) && !"HEAD".equals(method);
        if (finding == null && empty && pending == null) {
            finding = byEmptiness();
        }
        boolean decided = finding != null;
        head = decided ? finding : byStatus(scores.isEmpty() ? null : scores.get(0).rule);
        results = baseline != null && type.data && isDocument() ? baseline.results() : null;
        settled = decided || !WorthReading.mayHaveBody(method, status) || rules.bodyLimit() == 0 || empty && pending == null
                || !WorthReading.body(type, status, path, reading, results) && pending == null;
        boolean mayBeLong = WorthReading.isShort(type, status) && reading.contentLength == null && pending == null;
        limit = mayBeLong ? Math.min(rules.bodyLimit(), WorthReading.SHORT_BYTES + 1) : rules.bodyLimit();
    }

    /** The verdict by status and headers alone. */
    public Finding head() {
        return head;
    }

    /** Whether no body can change {@link #head}: then there is nothing to tap. */
    public boolean settled() {
        return settled;
    }

    /**
     * What of a {@link #head} that is not {@link #settled} holds whatever the body says, and shall be done at once: that it
     * is a block, and what the site asks to wait. The body may still name the block, or show one where the head only asks to
     * wait. Null if there is no such thing.
     */
    public Finding atOnce() {
        if (head.counts() && !mayBeExcused()) {
            return head;
        }
        return head.retryAfter() > 0 ? head.uncounted() : null;
    }

    /** Whether the body may show that this is what the user has said is no block. */
    private boolean mayBeExcused() {
        for (Rule rule : rules.ignoreNothing() ? Collections.<Rule>emptyList() : compiled.catalogue.rules) {
            if (rule.verdict != null && !rule.ofHead && rule.holdsFor(status) && rules.ignores(rule)) {
                return true;
            }
        }
        return false;
    }

    /** Where a redirect leads, as the site writes it; null if it is none. */
    public String location() {
        return location;
    }

    /** The nanoseconds that a redirect asks to wait before it is followed, as {@link Finding#retryAfter}, which only speaks of the host. */
    public long redirectWait() {
        return redirectWait;
    }

    /** What the site says is left of its limit, with an answer that asks for no wait; null where it says nothing. */
    public Announced announced() {
        return announced;
    }

    /** The encoding that kept the body from being looked at, as zstd does; null if none did. Complete after {@link #end}. */
    public String unreadableEncoding() {
        return unreadableEncoding;
    }

    /** Whether the answer is a stream of server-sent events. */
    public boolean eventStream() {
        return MediaType.isEventStream(contentType);
    }

    /** Looks at bytes on their way to the application. False: has seen enough, {@link #end} may be called. */
    public boolean add(byte[] bytes, int from, int length) {
        return !isOver() && reader().add(bytes, from, length);
    }

    /** Looks at what is left in a buffer, whose position stays. False: has seen enough, {@link #end} may be called. */
    public boolean add(ByteBuffer bytes) {
        return !isOver() && reader().add(bytes);
    }

    /**
     * The verdict by all that was seen; a second call gives the same again.
     *
     * @param complete whether the body's end was seen; false where the body was closed early, failed, or was left unread
     */
    public Finding end(boolean complete) {
        if (end == null) {
            try {
                end = settled || reader == null && !complete ? head : byPage(reader().end(complete));
            } catch (RuntimeException | Error e) { // whatever is wrong here, the application's answer is not to suffer
                end = head;
            }
            reader = null;
        }
        return end;
    }

    /** The rules of the catalogue that held, in its order; complete after {@link #end}. For those who ask why. */
    public List<Score> scores() {
        return scores;
    }

    /** The sum of the scores, of each sort of evidence the strongest; 50 or more with a rule that may decide is a block. */
    public int score() {
        return sum(false);
    }

    private boolean isOver() {
        return settled || end != null;
    }

    private PageReader reader() {
        if (reader == null) {
            reader = new PageReader(compiled.patterns(), contentType, contentEncoding, decoded, limit);
        }
        return reader;
    }

    // ---- the head

    /** The user's rules go first: they know their sites. */
    private Finding byOwnRules(String host, HeadReading reading) {
        int count = 0;
        for (int i = 0; i < compiled.own.size(); i++) {
            Compiled.Own own = compiled.own.get(i);
            if (!rules.ignores(own.rule.name) && !rules.ignores(own.rule.verdict.type())
                    && own.holdsFor(host, status, reading.own == null ? 0 : reading.own[i])) {
                if (!own.asksForBody()) {
                    return block(own.rule.verdict, null, own.rule.name, "status and headers");
                }
                pending = pending == null ? new int[compiled.own.size()] : pending;
                pending[count++] = i;
            }
        }
        pending = pending == null ? null : Arrays.copyOf(pending, count);
        return null;
    }

    /** The catalogue's rules on headers and on where a redirect leads. */
    private Finding byHead(String host, HeadReading reading) {
        String address = address(host);
        if (reading.rules == null && address == null) {
            return null;
        }
        List<Rule> all = compiled.catalogue.rules;
        for (int i = 0; i < all.size(); i++) {
            Rule rule = all.get(i);
            String evidence = rule.ofHead && rule.verdict != null ? evidenceOfHead(i, address) : null;
            if (evidence != null) {
                boolean ignored = rules.ignores(rule);
                scored(new Score(rule, evidence, ignored));
                if (!ignored) {
                    return block(rule.verdict, rule.vendor, rule.name, evidence);
                }
            }
        }
        return null;
    }

    private String address(String host) {
        return location != null ? Address.of(location, host) : null;
    }

    private String evidenceOfHead(int number, String address) {
        Rule rule = compiled.catalogue.rules.get(number);
        if (!rule.holdsFor(status)) {
            return null;
        }
        if (rule.hasHeaders) {
            return hasHeaderFor(number) ? headerEvidence(number) : null;
        }
        for (int i = 0; address != null && i < rule.addresses.size(); i++) {
            if (Address.matches(rule.addresses.get(i), address)) {
                return "redirect to " + rule.addresses.get(i);
            }
        }
        return null;
    }

    private boolean hasHeaderFor(int rule) {
        return headerRules != null && (headerRules[rule >> 6] & 1L << rule) != 0;
    }

    private String headerEvidence(int rule) {
        for (Catalogue.HeaderCondition condition : compiled.catalogue.headers) {
            if (condition.rule == rule) {
                return "header " + condition.header;
            }
        }
        return "";
    }

    // ---- the body

    private Finding byPage(Page page) {
        unreadableEncoding = page.unreadable() ? PageReader.unknown(contentEncoding) : null;
        if (limit < rules.bodyLimit() && page.bytes() >= limit) {
            if (results != null) {
                results.full(limit);
            }
            return head;
        }
        score(page);
        if (pending != null) {
            for (int i : pending) {
                Compiled.Own own = compiled.own.get(i);
                String evidence = own.evidence(page);
                if (evidence != null) {
                    return block(own.rule.verdict, null, own.rule.name, evidence);
                }
            }
        }
        if (type.kind != MediaType.Kind.OTHER && status != 404 && status != 410) {
            if (sum(false) >= BLOCK) {
                Score s = naming(false);
                if (s != null) {
                    return block(s.verdict(), vendor(s), s.rule(), s.evidence());
                }
            }
            if (sum(true) >= BLOCK && naming(true) != null) {
                return byStatus(naming(true).rule);
            }
            Finding learned = byWhatIsLearned(page);
            if (learned != null) {
                return learned;
            }
            if (isBlank(page)) {
                return blank(page.bytes() == 0 ? "no bytes" : "a document with nothing in it",
                        page.bytes() == 0 || compiled.isForPrograms(page));
            }
            if (page.html() && isDocument() && baseline != null && !page.unreadable() && baseline.isTooLittle(page, path)) {
                return unusual("next to no text, as never before on this host");
            }
            if (results != null && isEmptyAgain(page)) {
                return unusual("empty results in a row, as never before on this host");
            }
        }
        return head;
    }

    private boolean isEmptyAgain(Page page) {
        return page.complete() && page.whole() != null && results.isBlock(page.whole(), path);
    }

    private Finding unusual(String evidence) {
        boolean counts = !rules.ignores(Verdict.SOFT_BLOCK.type()) && !rules.ignores(BASELINE);
        return counts ? block(Verdict.SOFT_BLOCK, null, BASELINE, evidence) : byStatus(null);
    }

    /** What no rule knows; null if that is no block either. A status that is a block by itself needs no more reasons. */
    private Finding byWhatIsLearned(Page page) {
        boolean may = !head.counts() && mayRefuse(page) && !WorthReading.isForRobots(path) && Learned.mayJudge(page)
                && !rules.ignores(Learned.NAME);
        if (!may || !page.html() && Data.lists(page.whole())) {
            return null;
        }
        Learned learned = Learned.all();
        List<String> traits = Traits.of(learned.words, compiled, page, status, scores);
        String kind = Learned.kind(page);
        boolean block = learned.isBlock(kind, learned.weight(kind, traits)) || traits.contains(Traits.BRIEF);
        if (!block || status == 400 && !traits.contains(Traits.LIMIT)) {
            return null;
        }
        Verdict verdict = Learned.verdict(traits);
        return rules.ignores(verdict.type()) ? byStatus(null)
                : block(verdict, null, Learned.NAME, learned.evidence(kind, traits));
    }

    /** Whether a refusal may come with this status. */
    private boolean mayRefuse(Page page) {
        return status / 100 == 2 || status == 403 || status == 405 || status == 406 || status == 503 || status == 400 && !page.html();
    }

    private void score(Page page) {
        List<Rule> all = compiled.catalogue.rules;
        boolean builtAsAWall = false;
        for (int i = 0; i < all.size(); i++) {
            Rule rule = all.get(i);
            if (rule.ofHead && rule.verdict != null || !rule.holdsFor(status) || rule.hasHeaders && !hasHeaderFor(i)
                    || !rule.holdsFor(page)) {
                continue;
            }
            StringBuilder evidence = new StringBuilder(rule.hasHeaders ? headerEvidence(i) : "");
            rule.evidence(page, evidence);
            Score score = new Score(rule, evidence.length() == 0 ? "status " + status : evidence.toString(), rules.ignores(rule));
            scored(score);
            builtAsAWall |= rule.isBuiltAsAWall() && !score.ignored();
        }
        for (int i = scores.size() - 1; builtAsAWall && i >= 0; i--) { // no lambda: the first of a JVM costs up to 100 ms
            if (scores.get(i).rule.kind.ofAnyPage()) {
                scores.remove(i);
            }
        }
    }

    private void scored(Score score) {
        if (scores.isEmpty()) {
            scores = new ArrayList<>();
        }
        scores.add(score);
    }

    /** Of each sort of evidence the strongest. */
    private int sum(boolean withIgnored) {
        int[] strongest = new int[Rule.Kind.values().length];
        for (int i = 0; i < scores.size(); i++) {
            Score s = scores.get(i);
            int kind = s.rule.kind.ordinal();
            if ((withIgnored || !s.ignored()) && Math.abs(s.weight()) > Math.abs(strongest[kind])) {
                strongest[kind] = s.weight();
            }
        }
        int sum = 0;
        for (int weight : strongest) {
            sum += weight;
        }
        return sum;
    }

    /** The one that names the verdict: the first of the strongest sort; null if there are circumstances alone. */
    private Score naming(boolean withIgnored) {
        Score naming = null;
        for (Score s : scores) {
            if (s.verdict() != null && (withIgnored || !s.ignored())
                    && (naming == null || s.rule.kind.ordinal() < naming.rule.kind.ordinal())) {
                naming = s;
            }
        }
        return naming;
    }

    /** Its own vendor, or that of another rule that takes the page for the same: a title that says captcha, and whose captcha it is. */
    private String vendor(Score naming) {
        String vendor = naming.vendor();
        for (int i = 0; vendor == null && i < scores.size(); i++) {
            Score s = scores.get(i);
            vendor = s.verdict() == naming.verdict() && !s.ignored() ? s.vendor() : null;
        }
        return vendor;
    }

    // ---- blank pages

    /** Whether a document was due: what a browser would show. */
    private boolean isDocument() {
        return "GET".equals(method) && (status == 200 || status == 203) && !WorthReading.isForRobots(path);
    }

    private Finding byEmptiness() {
        return type.kind == MediaType.Kind.HTML && isDocument() && !refresh ? blank("no bytes", true) : null;
    }

    private boolean isBlank(Page page) {
        return type.kind == MediaType.Kind.HTML && isDocument() && !refresh && !rendered && page.complete() && !page.unreadable()
                && !page.fragment() && page.bytes() <= BLANK_BYTES
                && page.visibleCharacters() == 0 && (page.title() == null || page.title().isEmpty())
                && page.scripts() == 0 && page.links() == 0 && page.inputs() == 0 && page.embedded() == 0 && !page.has(Compiled.REFRESHES);
    }

    /** @param mayBeDue whether an address may answer so by nature: without a byte, or with something for programs alone */
    private Finding blank(String evidence, boolean mayBeDue) {
        boolean unusual = baseline == null ? !mayBeDue : baseline.isBlank(mayBeDue);
        if (!unusual && !mayBeDue) {
            return byStatus(null);
        }
        boolean counts = unusual && !rules.ignores(Verdict.BLANK_PAGE.type());
        return new Finding(Verdict.BLANK_PAGE, counts, status, null, "blank_page", evidence, retryAfter);
    }

    // ---- findings

    private Finding block(Verdict verdict, String vendor, String rule, String evidence) {
        return new Finding(verdict, true, status, vendor, rule, evidence, retryAfter);
    }

    /** What the status says. {@code ignored}: a rule that would have made it a block, had the user not silenced it. */
    private Finding byStatus(Rule ignored) {
        if (!rules.blocks(status)) {
            return new Finding(Verdict.plain(status), false, status, null, null, null, retryAfter);
        }
        Verdict verdict = Verdict.blockBy(status);
        boolean data = status == 403 && type.data; // so an interface says that one lacks a right
        boolean counts = !data && ignored == null && !rules.ignores(verdict.type()) && !rules.ignores(STATUS);
        return new Finding(verdict, counts, status, ignored == null ? null : ignored.vendor, ignored == null ? STATUS : ignored.name,
                data ? "status 403 with JSON or XML" : "status " + status, retryAfter);
    }
}
