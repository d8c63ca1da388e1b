package io.tempolimit.clients.selenium.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.browser.Failure;
import org.openqa.selenium.Capabilities;
import org.openqa.selenium.HasCapabilities;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebDriverException;

/** The loading of a page. */
final class Load extends Call {
    private final Object driver;
    private final Permit permit;
    private final WeakMap<Object, Permit> loaded;

    /** @param loaded takes the permit when the driver has loaded the page */
    Load(Object driver, Permit permit, WeakMap<Object, Permit> loaded) {
        this.driver = driver;
        this.permit = permit;
        this.loaded = loaded;
    }

    @Override
    public Object exit(Object result) {
        loaded.put(driver, permit);
        if (permit.wantsDocument() && hasLoaded()) {
            try {
                ((WebDriver) driver).getPageSource(); // which the hook sees
            } catch (WebDriverException e) {
                // a dialog is open, or the session has gone: the application hears of it by its own next command
            }
        }
        permit.answered();
        return result;
    }

    /** Else the browser may still show the page before. */
    private boolean hasLoaded() {
        Capabilities session = ((HasCapabilities) driver).getCapabilities();
        return session != null && !"none".equals(String.valueOf(session.getCapability("pageLoadStrategy")));
    }

    @Override
    public Throwable fail(Throwable failure) {
        Failure.end(permit, failure, failure instanceof TimeoutException);
        return failure;
    }
}
