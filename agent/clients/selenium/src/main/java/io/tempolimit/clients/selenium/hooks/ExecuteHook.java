package io.tempolimit.clients.selenium.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.gate.Parking;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandles;
import java.util.function.Consumer;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.remote.CommandPayload;
import org.openqa.selenium.remote.DriverCommand;
import org.openqa.selenium.remote.Response;

/** A command of a session, before it is sent; the argument is it. */
public final class ExecuteHook extends Hook {
    private final Gate gate;
    private final Proxies proxies = new Proxies();
    /** What each driver shows, as far as its application has told us. */
    private final WeakMap<Object, PageUrl> current = new WeakMap<>();
    /** The page that each driver has loaded last, until it loads another: its application may ask where that has led to. */
    private final WeakMap<Object, Permit> loaded = new WeakMap<>();

    public ExecuteHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        CommandPayload command = (CommandPayload) args[0];
        switch (command.getName()) {
            case DriverCommand.NEW_SESSION:
                proxies.begins(self, command.getParameters().get("capabilities"));
                return null;
            case DriverCommand.GET:
                PageUrl page = PageUrl.of(String.valueOf(command.getParameters().get("url")));
                Call load = begin(self, page);
                current.put(self, page);
                return load;
            case DriverCommand.REFRESH:
            case DriverCommand.GO_BACK:
            case DriverCommand.GO_FORWARD:
                PageUrl shown = current.get(self);
                return shown == null ? null : begin(self, shown);
            case DriverCommand.GET_CURRENT_URL:
                return value(url -> arrived(self, url));
            case DriverCommand.GET_PAGE_SOURCE:
                return value(document -> shows(self, document));
            default:
                return null;
        }
    }

    /** Sees the text that a command gives. */
    private static Call value(Consumer<String> seen) {
        return new Call() {
            @Override
            public Object exit(Object result) {
                Object text = result == null ? null : ((Response) result).getValue();
                if (text instanceof String) {
                    seen.accept((String) text);
                }
                return result;
            }
        };
    }

    private void shows(Object driver, String document) {
        Permit permit = loaded.get(driver);
        if (permit != null) {
            permit.showed(document);
        }
    }

    private void arrived(Object driver, String url) {
        current.put(driver, PageUrl.of(url));
        Permit permit = loaded.get(driver);
        if (permit != null) {
            permit.landed(url);
        }
    }

    private Call begin(Object driver, PageUrl page) throws Refusal {
        loaded.remove(driver);
        try {
            Permit permit = gate.arrive(proxies.with(driver, page));
            if (permit == null) {
                return null;
            }
            Parking.await(permit);
            return new Load(driver, permit, loaded);
        } catch (RequestRejectedException | InterruptedException e) {
            throw new Refusal(new WebDriverException(e.getMessage(), e));
        }
    }
}
