package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.Body;
import java.io.IOException;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** Shows a body what passes, and tells it the end. */
final class Tap<T> extends GraphStage<FlowShape<T, T>> {
    private final Inlet<T> in = Inlet.create("Tap.in");
    private final Outlet<T> out = Outlet.create("Tap.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);
    private final Body body;
    private final Closer closer;

    /** @param closer fails the stream; null if nobody does */
    Tap(Body body, Closer closer) {
        this.body = body;
        this.closer = closer;
    }

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {
        private boolean complete;

        Logic() {
            super(shape);
            setHandler(in, new AbstractInHandler() {
                @Override
                public void onPush() {
                    T part = grab(in);
                    Bodies.showPart(body, part);
                    push(out, part);
                }

                @Override
                public void onUpstreamFinish() {
                    complete = true;
                    completeStage();
                }
            });
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    pull(in);
                }
            });
        }

        @Override
        public void preStart() {
            IOException why = closer == null ? null : closer.runs(createAsyncCallback(this::failStage));
            if (why != null) {
                failStage(why);
            }
        }

        /** However it ends. */
        @Override
        public void postStop() {
            if (complete) {
                body.end();
            } else {
                body.cut();
            }
        }
    }
}
