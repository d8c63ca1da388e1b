package io.tempolimit.weave.browser;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;

/** The application, or we, ask a frame for its document, which the method returns as text. */
public final class ContentHook extends Hook {
    public ContentHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Navigation.takeLoaded(self);
        return body == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                byte[] document = String.valueOf(result).getBytes(StandardCharsets.UTF_8);
                body.add(document, 0, document.length);
                body.end();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                body.cut();
                return failure;
            }
        };
    }
}
