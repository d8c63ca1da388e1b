package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.apache.pekko.http.impl.engine.client.OutgoingConnectionBlueprint.UnexpectedConnectionClosureException;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.BidiShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import scala.concurrent.ExecutionContextExecutor;

/** In front of a connection: lets requests to it one by one, each in its turn. Answers come in the same order. */
final class Pace extends GraphStage<BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse>> {
    private final Inlet<HttpRequest> requests = Inlet.create("Pace.requests");
    private final Outlet<HttpRequest> toSite = Outlet.create("Pace.toSite");
    private final Inlet<HttpResponse> fromSite = Inlet.create("Pace.fromSite");
    private final Outlet<HttpResponse> answers = Outlet.create("Pace.answers");
    private final BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape =
            BidiShape.of(requests, toSite, fromSite, answers);
    private final Gate gate;
    private final Endpoint endpoint;

    Pace(Gate gate, Endpoint endpoint) {
        this.gate = gate;
        this.endpoint = endpoint;
    }

    @Override
    public BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic {
        /** Those without an answer yet; empty if one is not paced. */
        private final Queue<Optional<Hop>> sent = new ArrayDeque<>();
        private ExecutionContextExecutor executor;
        private AsyncCallback<Hop> turn;
        /** The one that waits, and its wait; null if none does. */
        private HttpRequest held;
        private Hold hold;
        /** With what the flow ends when all that was sent has its answer; null if it does not. */
        private Throwable end;

        Logic() {
            super(shape);
            handleRequests();
            handleAnswers();
        }

        private void handleRequests() {
            setHandler(requests, new AbstractInHandler() {
                @Override
                public void onPush() {
                    arrived(grab(requests));
                }

                @Override
                public void onUpstreamFinish() {
                    if (held == null) {
                        complete(toSite);
                    }
                }
            });
            setHandler(toSite, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    if (end == null && !isClosed(requests)) {
                        pull(requests);
                    }
                }

                @Override
                public void onDownstreamFinish() {
                    cancel(requests);
                }
            });
        }

        private void handleAnswers() {
            setHandler(fromSite, new AbstractInHandler() {
                @Override
                public void onPush() {
                    push(answers, seen(grab(fromSite)));
                    endIfDue();
                }

                @Override
                public void onUpstreamFinish() {
                    if (held == null) {
                        complete(answers);
                    } else {
                        failStage(new UnexpectedConnectionClosureException(1));
                    }
                }

                @Override
                public void onUpstreamFailure(Throwable failure) {
                    for (Optional<Hop> hop : sent) {
                        if (hop.isPresent()) {
                            hop.get().failed(failure);
                        }
                    }
                    failStage(failure);
                }
            });
            setHandler(answers, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    pull(fromSite);
                }

                @Override
                public void onDownstreamFinish() {
                    cancel(fromSite);
                }
            });
        }

        @Override
        public void preStart() {
            executor = materializer().executionContext();
            turn = createAsyncCallback(this::turnCame);
        }

        private void arrived(HttpRequest request) {
            Permit permit;
            try {
                permit = gate.arrive(new RequestTarget(endpoint, request));
            } catch (RequestRejectedException e) {
                end = e;
                endIfDue();
                return;
            } catch (RuntimeException | LinkageError e) {
                permit = null; // an error of ours does the request no harm
            }
            Hop hop = permit == null ? null : new Hop(gate, permit, executor);
            if (hop == null || permit.granted()) {
                send(request, hop);
                return;
            }
            held = request;
            try {
                hold = Hold.start(gate.timer(), permit, executor, () -> turn.invoke(hop), false);
            } catch (RuntimeException | Error e) { // out of memory, say: it goes at once
                held = null;
                send(request, hop);
            }
        }

        private void turnCame(Hop hop) {
            HttpRequest request = held;
            held = null;
            end = hop.permit().rejection();
            if (end != null) {
                endIfDue();
            } else if (isClosed(toSite)) {
                hop.permit().unused();
            } else {
                send(request, hop);
                if (isClosed(requests)) {
                    complete(toSite);
                }
            }
        }

        private void send(HttpRequest request, Hop hop) {
            sent.add(Optional.ofNullable(hop));
            push(toSite, request);
        }

        private HttpResponse seen(HttpResponse response) {
            Optional<Hop> hop = sent.remove();
            try {
                return hop.isPresent() ? hop.get().answered(response) : response;
            } catch (RuntimeException | LinkageError e) { // the answer reaches the application all the same
                hop.get().permit().abandoned();
                return response;
            }
        }

        private void endIfDue() {
            if (end != null && sent.isEmpty()) {
                failStage(end);
            }
        }

        @Override
        public void postStop() {
            if (held != null) {
                hold.cancel();
                hold.permit().unused();
            }
            for (Optional<Hop> hop : sent) {
                if (hop.isPresent()) {
                    hop.get().permit().abandoned();
                }
            }
        }
    }
}
