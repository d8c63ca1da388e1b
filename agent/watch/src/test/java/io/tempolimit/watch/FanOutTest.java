package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FanOutTest {
    private final List<Throwable> troubles = new ArrayList<>();
    private final FanOut fan = new FanOut() {
        @Override
        public void trouble(Throwable error) {
            troubles.add(error);
        }
    };

    @Test
    void oneThatFailsSilencesNoOther() {
        IllegalStateException fault = new IllegalStateException();
        List<String> heard = new ArrayList<>();
        fan.add(new Listener() {
            @Override
            public void leftOut(String host, String why) {
                throw fault;
            }
        });
        fan.add(new Listener() {
            @Override
            public void leftOut(String host, String why) {
                heard.add(host + " " + why);
            }
        });
        fan.leftOut("shop.example", "why");
        assertEquals(List.of("shop.example why"), heard);
        assertEquals(List.of(fault), troubles);
    }

    @Test
    void whatAWaitBeginsWithComesFromTheOneWhoGivesIt() {
        Object begun = new Object();
        fan.add(new Listener() {
            @Override
            public Object waits(Key key) {
                return begun;
            }
        });
        fan.add(new Listener() { });
        assertSame(begun, fan.waits(null));
    }

    /** What the limiter learns to tell is handed on, or is a warning: nothing is forgotten here. */
    @Test
    void allThatTheLimiterTellsIsHeard() throws Exception {
        for (Method method : Listener.class.getMethods()) {
            Class<?> by = Watch.class.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass();
            assertEquals(true, by == FanOut.class || by == Watch.class, method.getName());
        }
    }
}
