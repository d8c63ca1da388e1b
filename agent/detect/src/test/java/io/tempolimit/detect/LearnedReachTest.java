package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Pages that the learned judge did not reach: for their length, for where their words stand, or for how these are built. */
class LearnedReachTest {
    private static boolean counts(String title, String body) {
        return Answer.html(200, "<html><head><title>" + title + "</title></head><body>" + body + "</body></html>").judged().counts();
    }

    private static String repeated(String text, int times) {
        return String.join(" ", Collections.nCopies(times, text));
    }

    /** A web-browser was no browser: a word began after a blank alone. */
    @Test
    void aWordAfterAHyphenIsAWord() {
        assertTrue(counts("Доступ к сайту временно ограничен", "<p>Сейчас будет выполнена проверка вашего веб-браузера.</p>"));
        assertEquals(Learned.all().words.bits("browser"),
                Learned.all().words.in(" web-browser ".getBytes(StandardCharsets.UTF_8)));
    }

    /** Languages that write words together had the subject at the word's end. */
    @Test
    void theEndOfACompoundTells() {
        assertTrue(counts("Einen Augenblick", "<p>Bitte schliessen Sie die Sicherheitsüberprüfung ab. Ihr Netzwerk sendet Anfragen.</p>"));
        assertTrue(counts("Säkerhetskontroll", "<p>En webbläsarkontroll pågår. Vänta, du skickas vidare.</p>"));
        assertFalse(counts("Datenschutz", "<p>Beim Besuch verarbeitet der Server Ihre IP-Adresse und den Browser.</p>"));
    }

    /** 2,048 bytes were read, which are 1,100 letters of Cyrillic. */
    @Test
    void aLongWallIsReadInAnyAlphabet() {
        String why = "<p>" + repeated("Такое бывает, если с одного адреса приходит слишком много запросов.", 18) + "</p>";
        assertTrue(why.length() > 1100 && why.length() < 2000);
        assertTrue(counts("Доступ ограничен", "<h1>Доступ ограничен</h1><p>Ваш запрос заблокирован системой защиты.</p>" + why));
    }

    /** Walls that explain themselves at length had too many characters. */
    @Test
    void aWallMayExplainItselfInAFewThousandCharacters() {
        String why = "<p>" + repeated("This happens when many requests come from one network in a short time.", 38) + "</p>";
        assertTrue(why.length() > 2500);
        assertTrue(counts("Access denied", "<h1>Your access was blocked</h1><p>Your IP address sent too many requests.</p>" + why));
        assertFalse(counts("Our story", "<h1>How we grew</h1><p>Your IP address sent too many requests.</p>" + why));
    }

    /** Some say what they do only to those without scripts. */
    @Test
    void whatIsSaidToBrowsersWithoutScriptsTells() {
        String script = "<script src=/a/b.js></script>";
        assertTrue(counts("One moment", "<noscript>We have to verify that you are human. Please enable JavaScript and cookies.</noscript>"
                + script));
        assertFalse(counts("Shop", "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>" + script));
    }

    /** Pages that speak of the same as walls do, of roads, doors, ages and plans, kept the threshold high. */
    @Test
    void thingsOutsideTheNetAreNoWalls() {
        String[][] others = {
            {"Security check", "At the airport: complete the security check 45 minutes before departure."},
            {"Traffico bloccato sulla A4", "Traffico bloccato per un incidente. Accesso vietato ai mezzi pesanti."},
            {"Vérification de l'âge", "Veuillez confirmer que vous avez plus de 18 ans pour entrer."},
            {"Acesso bloqueado", "Seu plano expirou. Para continuar, renove sua assinatura."},
            {"Accès refusé", "Vous n'avez pas les droits suffisants pour accéder à cette page."},
            {"Alert", "Suspicious activity was detected: IP 203.0.113.4. This IP may be a threat to your site."}};
        for (String[] other : others) {
            assertFalse(counts(other[0], "<h1>" + other[0] + "</h1><p>" + other[1] + "</p>"), other[0]);
        }
    }

    /** A page that says no more than that access is denied lacks a right: it speaks of denial, access and you, as walls do. */
    @Test
    void whoLacksARightIsNotAtAWall() {
        String[][] others = {{"Access denied", "You do not have access to this page."}, {"Zugriff verweigert", "Sie haben keinen Zugriff."},
            {"Accès refusé", "Vous ne pouvez pas accéder à cette page."}, {"Доступ запрещён", "У вас нет доступа к этой странице."},
            {"访问被拒绝", "您无法访问此页面"}, {"Akses ditolak", "Anda tidak memiliki akses ke halaman ini."}};
        for (String[] other : others) {
            assertFalse(counts(other[0], "<h1>" + other[0] + "</h1><p>" + other[1] + "</p><a href=\"/\">1</a>"), other[0]);
        }
    }

    /** Data that asks to wait before the next try, without a word of limits. */
    @Test
    void dataThatAsksToWaitBeforeTheNextTry() {
        assertTrue(json(200, "{\"message\":\"Please wait a few minutes before you try again.\",\"status\":\"fail\"}").counts());
        assertTrue(json(400, "{\"__type\":\"ThrottlingException\",\"message\":\"Rate exceeded\"}").counts());
        assertFalse(json(200, "{\"message\":\"Wait a few minutes for your export to be ready.\",\"status\":\"pending\"}").counts());
        assertFalse(json(400, "{\"error\":\"limit must be between 1 and 100\"}").counts());
    }

    private static Finding json(int status, String body) {
        return Answer.json(status, body).with("Content-Length", "" + body.length()).judged();
    }
}
