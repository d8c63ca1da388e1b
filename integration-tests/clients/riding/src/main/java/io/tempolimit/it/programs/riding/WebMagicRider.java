package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import us.codecraft.webmagic.Page;
import us.codecraft.webmagic.Site;
import us.codecraft.webmagic.downloader.HttpClientDownloader;

/** WebMagic's downloader. */
public final class WebMagicRider implements Http {
    private final HttpClientDownloader downloader = new HttpClientDownloader();
    private final Site site = Site.me().setAcceptStatCode(new HashSet<>(Arrays.asList(200, 429)));

    public WebMagicRider(String on) {
    }

    @Override
    public Reply send(Request request) {
        Page page = downloader.download(new us.codecraft.webmagic.Request(request.url), site.toTask());
        return new Reply(page.getStatusCode(), new ArrayList<>(), new ByteArrayInputStream(page.getBytes()));
    }
}
