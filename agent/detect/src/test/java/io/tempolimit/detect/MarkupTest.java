package io.tempolimit.detect;

import static io.tempolimit.detect.Reading.html;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MarkupTest {
    private static void shows(String page, String text) {
        assertTrue(html(page, text, Place.TEXT).has(0), () -> page + " should show " + text);
    }

    private static void hides(String page, String text) {
        assertFalse(html(page, text, Place.TEXT).has(0), () -> page + " should not show " + text);
    }

    private static void tag(String page, String tag) {
        assertTrue(html(page, tag, Place.TAG).has(0), () -> page + " should have " + tag);
    }

    @Test
    void textIsSeenThroughMarkup() {
        shows("<p>Please <b>wai</b>t\n\t a&nbsp;moment</p>", "please wait a moment");
        shows("<p>one</p><p>two</p>", "one two");
        shows("one<br>two", "one two");
        shows("ACCESS <a href=x>denied</a>", "Access Denied");
        hides("<p>one</p><p>two</p>", "onetwo");
        hides("<p title='access denied'>", "access denied");
    }

    @Test
    void textIsNotInScriptsStylesCommentsAndSuch() {
        for (String element : new String[] {"script", "style", "noscript", "template", "title", "iframe", "noembed", "noframes"}) {
            hides("<" + element + ">hidden words</" + element + ">", "hidden words");
            shows("<" + element + "></" + element + ">visible words", "visible words");
        }
        hides("<!-- hidden words -->", "hidden words");
        hides("<!doctype hidden words>", "hidden words");
        hides("<?xml hidden words?>", "hidden words");
        shows("<textarea>visible words</textarea>", "visible words");
        shows("<template><template></template>x</template>visible words", "visible words");
        hides("<template><template></template>hidden words</template>", "hidden words");
        hides("<svg><title>hidden words</title></svg>", "hidden words");
        shows("<svg><title>x</title><text>visible words</text></svg>", "visible words");
    }

    @Test
    void referencesAreSeenThrough() {
        shows("errors&#46;edgesuite&#46;net&#47;18&#46;ab", "errors.edgesuite.net/18.ab");
        shows("a&#x2e;b&period;c&sol;d&#x2E;e", "a.b.c/d.e");
        shows("you&rsquo;ve &ldquo;been&rdquo; blocked&hellip;", "you've \"been\" blocked...");
        shows("you’ve “been” blocked… – ok", "you've \"been\" blocked... - ok");
        shows("AT&T &unknown; &#; &#x; & x &lt &amp", "at&t &unknown; &#; &#x; & x < &");
        shows("ac&shy;cess\u200b de\u00adnied", "access denied");
        shows("&#150;&#x92;", "-'");
        tag("<a href='https://x/?a=1&amp;b=2&copy=3'>", "href=\"https://x/?a=1&b=2&copy=3\"");
        tag("<a href=\"/&#95;Incapsula&lowbar;Resource?\">", "<a href=\"/_incapsula_resource?\">");
    }

    @Test
    void tagsHaveOneForm() {
        String form = "<div id=\"px-captcha\" hidden class=\"a b\">";
        tag("<div id=\"px-captcha\" hidden class=\"a b\">", form);
        tag("<DIV\n  ID = 'px-captcha'\thidden\n class=\"a b\" >", form);
        tag("<div id=px-captcha hidden class='a\nb'>", form);
        tag("<div/id=px-captcha hidden/class='a b'/>", form);
        tag("<input value='a\"b>c' x>", "<input value=\"a\"b>c\" x>");
        tag("<a href=/x/>", "<a href=\"/x/\">");
        tag("<a b= >", "<a b=\"\">");
        tag("</DIV >", "</div>");
        tag("<p ==x>", "<p ==\"x\">");
        tag("<script src=a></script x>", "</script x>");
    }

    @Test
    void scriptsAreSearchedAsWritten() {
        assertTrue(html("<script>Window._cf_chl_opt={}</script>", "window._cf_chl_opt=", Place.SCRIPT).has(0));
        assertFalse(html("<script>a</script><p>window.x=1</p><script>b</script>", "window.x", Place.SCRIPT).has(0));
        assertFalse(html("<!-- window.x -->", "window.x", Place.SCRIPT).has(0));
        assertFalse(html("<style>window.x</style>", "window.x", Place.SCRIPT).has(0));
        assertTrue(html("<script>'</scriptx>' < / '<' window.x</SCRIPT\n>", "window.x", Place.SCRIPT).has(0));
        shows("<script>a</script >b c", "b c");
        hides("<script><!-- <script>b c</script> b c --></script>", "b c");
        shows("<script><!-- <script></script> --></script>b c", "b c");
        shows("<script><!-- x --></script>b c", "b c");
        shows("<script><!-- </script>b c", "b c");
        shows("<script><!--><script></script>b c", "b c");
        hides("<script>never ended b c", "b c");
    }

    @Test
    void commentsEndWhereBrowsersEndThem() {
        assertTrue(html("<p><!-- Incident 12 --></p>", "incident 12", Place.COMMENT).has(0));
        assertFalse(html("<p>incident 12</p>", "incident 12", Place.COMMENT).has(0));
        for (String comment : new String[] {"<!-->", "<!--->", "<!---->", "<!-- a -- > - -->", "<!-- a --!>",
                "<!-- > -->", "<!>", "<!x>", "<?x>", "</ x>", "</>", "<![CDATA[x>"}) {
            shows(comment + "b c", "b c");
        }
        hides("<!-- b c", "b c");
    }

    @Test
    void cdataIsTextInDrawings() {
        shows("<svg><text><![CDATA[b <c> ]] d]]></text></svg>", "b <c> ]] d");
        hides("<![CDATA[b <c> d]]>", "b <c>");
    }

    @Test
    void whatIsNoTagIsText() {
        shows("1 < 2 and <3", "1 < 2 and <3");
        shows("a <", "a <");
        shows("<plaintext>a <b> &amp; </plaintext>", "a <b> &amp; </plaintext>");
        hides("a <b c d", "b c");
    }

    @Test
    void theTitle() {
        assertEquals("just a moment...", html("<TITLE>\n Just  a moment&hellip; </TITLE>").title());
        assertEquals("a <b> c", html("<title>a <b> c</title>").title());
        assertEquals("attention required! | cloudflare",
                html("<title>Attention Required! | Cloudflare</title><title>Other</title>").title());
        assertEquals("page", html("<svg><title>drawing</title></svg><title>Page</title>").title());
        assertEquals("", html("<title></title>").title());
        assertEquals("cut", html("<title>Cut").title());
        assertNull(html("<p>none").title());
        String many = "x".repeat(1000);
        assertEquals(many.substring(0, 256), html("<title>" + many + "</title>").title());
        hides("<title>Just a moment</title>", "just a moment");
    }

    @Test
    void visibleCharactersAreThoseThatAReaderSees() {
        assertEquals(0, html("").visibleCharacters());
        assertEquals(0, html("<html><head><title>Title</title><style>p{}</style></head><body> "
                + "\n&nbsp;<script>x()</script><!-- c --></body></html>").visibleCharacters());
        assertEquals(5, html("<p> a  b </p>\n<p>c</p>").visibleCharacters());
        assertEquals(3, html("日本語").visibleCharacters());
        assertEquals(2, html("\ud83d\ude00x").visibleCharacters());
        assertEquals(3, html("a\u0000b\u200bc").visibleCharacters());
    }

    @Test
    void elementsAreCounted() {
        Page page = html("<a href=1>x</a><a name=2>y</a><A HREF='3'>z</A><script></script><script "
                + "src=x></script><input><input type=HIDDEN><input type='text'><input type=submit>"
                + "<textarea></textarea><select></select><img src=x><iframe></iframe><svg/>");
        assertEquals(2, page.links());
        assertEquals(2, page.scripts());
        assertEquals(4, page.inputs());
        assertEquals(3, page.embedded());
    }

    @Test
    void otherLettersThanAsciiAreFoundInEitherCase() {
        shows("<p>ДОСТУП Ограничен</p>", "доступ ограничен");
        shows("<p>доступ ограничен</p>", "ДОСТУП ОГРАНИЧЕН");
        shows("<p>ACC&Egrave;S refus&eacute;</p>", "accès refusé");
        shows("<p>您的访问被拒绝</p>", "访问被拒绝");
    }

    @Test
    void aPageMayCloseElementsItselfIfItIsXhtml() {
        Patterns patterns = Reading.patterns("b c", Place.TEXT);
        byte[] page = "<html><script src='x'/><p>b c</p></html>".getBytes();
        assertTrue(Reading.read(patterns, "application/xhtml+xml", null, page).has(0));
        assertFalse(Reading.read(patterns, "text/html", null, page).has(0));
    }
}
