package io.tempolimit.redis;

import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.event.EventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.resource.SocketAddressResolver;
import io.lettuce.core.tracing.Tracing;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/**
 * One daemon thread for all that lettuce and we do: connections, timeouts, callbacks. lettuce's own resources want two pools and a timer's
 * thread, name resolution by netty, a bus for events and metrics; none of which is loaded this way.
 */
final class Loop implements ClientResources, EventLoopGroupProvider, Timer, EventBus {
    private static final long PLAIN_NANOS = 1_000_000_000L;

    private final EventLoopGroup group;
    /** Hears of each socket that is connected. */
    private final Runnable connected;

    static {
        InternalLoggerFactory.setDefaultFactory(new Silence()); // before netty's classes look for a log, and wake java.util.logging
    }

    /** @param connected is called on the loop's thread when a socket is connected, before anything is said */
    Loop(Runnable connected) {
        this.connected = connected;
        group = new MultiThreadIoEventLoopGroup(1, task -> {
            Thread thread = new Thread(null, task, "tempolimit-redis");
            thread.setDaemon(true);
            thread.setContextClassLoader(Loop.class.getClassLoader()); // not the application's, which may be undeployed
            return thread;
        }, NioIoHandler.newFactory());
        // netty begins a thread with its first task, which could be a request's: then it would keep what that thread
        // hands on
        execute(() -> { });
    }

    void execute(Runnable task) {
        try {
            group.execute(task);
        } catch (RejectedExecutionException e) {
            // it has ended, and nobody waits for this any more
        }
    }

    void schedule(Runnable task, long nanos) {
        try {
            group.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // likewise
        }
    }

    /** Ends the thread once what is under way has been done; does not wait for that. */
    void end() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    // ---- event loops

    @Override
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
        return type.cast(group);
    }

    @Override
    public int threadPoolSize() {
        return 1;
    }

    @Override
    public Future<Boolean> release(EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown() {
        return shutdown(0, 0, TimeUnit.SECONDS);
    }

    // ---- timer

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        return new Due(task, delay, unit);
    }

    @Override
    public Set<Timeout> stop() {
        return Collections.emptySet();
    }

    private final class Due implements Timeout, Runnable {
        private final TimerTask task;
        private volatile ScheduledFuture<?> future;
        private boolean late;
        private volatile boolean expired;

        Due(TimerTask task, long delay, TimeUnit unit) {
            this.task = task;
            this.future = group.schedule(this, delay, unit);
        }

        @Override
        public void run() {
            // after a moment in which this JVM stood still, what has come meanwhile is to be read before anybody says
            // that it has not come
            if (!late) {
                late = true;
                future = group.schedule(this, 1, TimeUnit.MILLISECONDS);
                return;
            }
            expired = true;
            try {
                task.run(this);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Timer timer() {
            return Loop.this;
        }

        @Override
        public TimerTask task() {
            return task;
        }

        @Override
        public boolean isExpired() {
            return expired;
        }

        @Override
        public boolean isCancelled() {
            return future != null && future.isCancelled();
        }

        @Override
        public boolean cancel() {
            return future.cancel(false);
        }
    }

    // ---- events, of which there are none

    @Override
    public Flux<Event> get() {
        return Flux.empty();
    }

    @Override
    public void publish(Event event) {
        // nobody listens
    }

    // ---- resources

    @Override
    public EventLoopGroupProvider eventLoopGroupProvider() {
        return this;
    }

    @Override
    public EventExecutorGroup eventExecutorGroup() {
        return group;
    }

    @Override
    public Timer timer() {
        return this;
    }

    @Override
    public EventBus eventBus() {
        return this;
    }

    @Override
    public int computationThreadPoolSize() {
        return 1;
    }

    @Override
    public int ioThreadPoolSize() {
        return 1;
    }

    /** The JVM's own names: what the application's other connections see. */
    @Override
    public AddressResolverGroup<?> addressResolverGroup() {
        return DefaultAddressResolverGroup.INSTANCE;
    }

    @Override
    public SocketAddressResolver socketAddressResolver() {
        return SocketAddressResolver.create(DnsResolvers.UNRESOLVED);
    }

    @Override
    public Delay reconnectDelay() {
        return Delay.exponential(Duration.ofMillis(50), Duration.ofSeconds(1), 2, TimeUnit.MILLISECONDS);
    }

    @Override
    public CommandLatencyRecorder commandLatencyRecorder() {
        return CommandLatencyRecorder.disabled();
    }

    @Override
    public EventPublisherOptions commandLatencyPublisherOptions() {
        return DefaultEventPublisherOptions.disabled();
    }

    @Override
    public NettyCustomizer nettyCustomizer() {
        return new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                channel.pipeline().addFirst(new Begins());
            }
        };
    }

    /** Sees a connection begin: before TLS, and before lettuce says who we are. */
    private final class Begins extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            connected.run();
            context.fireChannelActive();
        }
    }

    /**
     * Finds out whether that port answers in plain text. A Redis without TLS keeps silent when it is greeted in TLS,
     * for it waits for the end of a line.
     *
     * @param hears is told, on this thread, after {@link #PLAIN_NANOS} at the latest
     */
    void speaksPlainly(String host, int port, Consumer<Boolean> hears) {
        new Bootstrap().group(group).channel(NioSocketChannel.class).resolver(DefaultAddressResolverGroup.INSTANCE)
                .handler(new ChannelInboundHandlerAdapter() {
                    private boolean plain;

                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        context.writeAndFlush(Unpooled.copiedBuffer("PING\r\n", StandardCharsets.US_ASCII));
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        byte first = message instanceof ByteBuf && ((ByteBuf) message).isReadable()
                                ? ((ByteBuf) message).getByte(((ByteBuf) message).readerIndex()) : 0;
                        ReferenceCountUtil.release(message);
                        plain = first == '+' || first == '-'; // it may want a password first
                        context.close();
                    }

                    @Override
                    public void channelInactive(ChannelHandlerContext context) {
                        hears.accept(plain);
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                        context.close();
                    }
                }).connect(host, port).addListener((ChannelFutureListener) made -> {
                    if (made.isSuccess()) {
                        schedule(made.channel()::close, PLAIN_NANOS);
                    } else {
                        hears.accept(false);
                    }
                });
    }

    @Override
    public Tracing tracing() {
        return Tracing.disabled();
    }

    @Override
    public Builder mutate() {
        throw new UnsupportedOperationException();
    }
}
