package dev.penstock.kit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.management.PortTakenException;
import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.infra.TcpFaultProxy;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerStreamTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final PoolId POOL = new PoolId("local", "llama");
    private static final Holder ROUTER = new Holder("router-0", 7);

    private final Vertx vertx = Vertx.vertx();
    private final Context ownerContext = vertx.getOrCreateContext();
    private final Context holderContext = vertx.getOrCreateContext();
    private final LedgerClient client = new LedgerClient(vertx);
    private final Heard<FromHolder> owner = new Heard<>();
    private final Heard<FromOwner> holder = new Heard<>();
    private final List<LedgerStream<FromOwner>> served = new CopyOnWriteArrayList<>();

    /** Notes what is said on its side, and on which threads. */
    private static class Heard<T> implements LedgerReceiver<T> {
        private final List<T> messages = new CopyOnWriteArrayList<>();
        private final List<String> ends = new CopyOnWriteArrayList<>();

        @Override
        public void message(T message) {
            assertThat(ends).isEmpty();
            messages.add(message);
        }

        @Override
        public void ended(String reason) {
            ends.add(reason);
        }
    }

    @AfterEach
    void stop() throws Exception {
        on(holderContext, client::close);
        join(vertx.close());
    }

    @Test
    void each_side_says_what_it_has_to_say_in_order() throws Exception {
        LedgerServer server = serve(0);
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());

        send(stream, sync(5));
        send(stream, new FromHolder.Returned(new int[] {3, 300}, new int[] {1, 2}));
        send(stream, new FromHolder.Report(new int[] {3}, new int[] {4}, 5, 6));
        send(stream, new FromHolder.Ask(9));
        Await.until("heard", SOON, () -> owner.messages.size() == 4);
        LedgerStream<FromOwner> toHolder = served.getFirst();
        on(ownerContext, () -> {
            toHolder.send(new FromOwner.Welcome());
            toHolder.send(new FromOwner.Granted(new int[] {3, 300}, new int[] {10, 20}));
            toHolder.send(new FromOwner.Recalled(new int[] {3}, new int[] {0}));
            return Future.succeededFuture();
        });
        Await.until("answered", SOON, () -> holder.messages.size() == 3);

        assertThat(owner.messages)
                .usingRecursiveComparison()
                .isEqualTo(List.of(
                        sync(5),
                        new FromHolder.Returned(new int[] {3, 300}, new int[] {1, 2}),
                        new FromHolder.Report(new int[] {3}, new int[] {4}, 5, 6),
                        new FromHolder.Ask(9)));
        assertThat(holder.messages)
                .usingRecursiveComparison()
                .isEqualTo(List.of(
                        new FromOwner.Welcome(),
                        new FromOwner.Granted(new int[] {3, 300}, new int[] {10, 20}),
                        new FromOwner.Recalled(new int[] {3}, new int[] {0})));
        assertThat(server.openStreams()).isOne();
        close(server);
    }

    @Test
    void a_client_that_closes_is_heard_to_its_last_message_and_both_are_told_once() throws Exception {
        LedgerServer server = serve(0);
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());
        on(holderContext, () -> {
            stream.send(sync(5));
            for (int i = 0; i < 500; i++) stream.send(new FromHolder.Ask(i));
            stream.close();
            stream.close();
            assertThat(stream.send(new FromHolder.Ask(1))).isFalse();
            return Future.succeededFuture();
        });

        Await.until("the owner was told", SOON, () -> owner.ends.size() == 1);

        assertThat(owner.messages).hasSize(501);
        assertThat(owner.messages.getLast()).isEqualTo(new FromHolder.Ask(499));
        assertThat(owner.ends).containsExactly("ended by the holder");
        assertThat(holder.ends).containsExactly("closed here");
        assertThat(stream.isOpen()).isFalse();
        assertThat(served.getFirst().isOpen()).isFalse();
        Await.until("forgotten", SOON, () -> server.openStreams() == 0);
        close(server);
        assertThat(owner.ends).hasSize(1);
        assertThat(holder.ends).hasSize(1);
    }

    @Test
    void a_holder_of_another_pool_is_refused_and_told_why() throws Exception {
        LedgerServer server = listen(0, stream -> new Heard<FromHolder>() {
            @Override
            public void message(FromHolder message) {
                if (message instanceof FromHolder.Sync sync
                        && !sync.pool().name().equals("other")) {
                    stream.send(new FromOwner.Refused("pool " + sync.pool() + " is not owned here"));
                    stream.close();
                }
            }
        });
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());

        send(stream, sync(5));

        Await.until("ended", SOON, () -> holder.ends.size() == 1);
        assertThat(holder.messages).containsExactly(new FromOwner.Refused("pool local/llama is not owned here"));
        assertThat(holder.ends.getFirst()).startsWith("ended by the owner");
        close(server);
    }

    @Test
    void a_receiver_that_throws_and_a_message_too_long_end_their_stream_for_both() throws Exception {
        List<Heard<FromHolder>> owners = new CopyOnWriteArrayList<>();
        LedgerServer server = listen(0, stream -> {
            served.add(stream);
            Heard<FromHolder> each = new Heard<>() {
                @Override
                public void message(FromHolder message) {
                    if (message instanceof FromHolder.Ask) throw new IllegalStateException("a bug");
                    super.message(message);
                }
            };
            owners.add(each);
            return each;
        });
        LedgerStream<FromHolder> first = open("127.0.0.1:" + server.port());
        send(first, new FromHolder.Ask(1));
        Await.until("both were told", SOON, () -> owners.getFirst().ends.size() == 1 && holder.ends.size() == 1);
        assertThat(owners.getFirst().ends.getFirst()).isEqualTo("not taken: a bug");

        LedgerStream<FromHolder> second = open("127.0.0.1:" + server.port());
        int[] many = new int[300_000];
        java.util.Arrays.fill(many, Integer.MAX_VALUE);
        send(second, new FromHolder.Returned(many, many));
        Await.until("the holder was told", SOON, () -> holder.ends.size() == 2);
        Await.until("the owner was told", SOON, () -> owners.get(1).ends.size() == 1);

        on(ownerContext, () -> {
            assertThat(served).allMatch(stream -> !stream.send(new FromOwner.Welcome()));
            return Future.succeededFuture();
        });
        assertThat(owners).allSatisfy(each -> assertThat(each.ends).hasSize(1));
        assertThat(server.openStreams()).isZero();
        close(server);
    }

    @Test
    void an_owner_that_is_killed_is_told_once_and_its_successor_is_found() throws Exception {
        int port = FreePorts.one();
        try (ChildJvm child =
                ChildJvm.of(OwningProcess.class).args(Integer.toString(port)).start()) {
            child.awaitLine("listens", SOON);
            LedgerStream<FromHolder> stream = open("127.0.0.1:" + port);
            send(stream, sync(1));
            Await.until("welcome", SOON, () -> holder.messages.size() == 1);

            child.kill9();

            Await.until("told", SOON, () -> holder.ends.size() == 1);
            assertThat(stream.isOpen()).isFalse();
            assertThatThrownBy(() -> open("127.0.0.1:" + port)).isInstanceOf(ExecutionException.class);
        }
        LedgerServer server = serve(port);
        LedgerStream<FromHolder> next = open("127.0.0.1:" + port);
        send(next, sync(2));
        Await.until("heard", SOON, () -> owner.messages.size() == 1);
        assertThat(holder.ends).hasSize(1);
        close(server);
    }

    @Test
    void an_owner_that_closes_ends_all_streams_in_order() throws Exception {
        LedgerServer server = serve(0);
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());
        send(stream, sync(5));
        Await.until("heard", SOON, () -> owner.messages.size() == 1);
        on(ownerContext, () -> {
            served.getFirst().send(new FromOwner.Granted(new int[] {1}, new int[] {1}));
            return server.close();
        });

        Await.until("ended", SOON, () -> holder.ends.size() == 1);
        assertThat(holder.messages).hasSize(1);
        assertThat(owner.ends).containsExactly("closed here");
    }

    @Test
    void a_host_that_falls_silent_is_noticed_by_both() throws Exception {
        LedgerServer server = serve(0);
        try (TcpFaultProxy proxy = TcpFaultProxy.start(0, "127.0.0.1", server.port())) {
            LedgerStream<FromHolder> stream = open(proxy.address());
            send(stream, sync(5));
            Await.until("heard", SOON, () -> owner.messages.size() == 1);

            proxy.freeze();

            Await.until("noticed", SOON, () -> holder.ends.size() == 1);
            assertThat(holder.ends).containsExactly("the owner's host is silent");
            assertThat(stream.isOpen()).isFalse();
            Await.until("noticed there", Duration.ofSeconds(20), () -> owner.ends.size() == 1);
            assertThat(server.openStreams()).isZero();
        }
        close(server);
    }

    @Test
    void who_says_more_than_can_be_sent_is_cut_off() throws Exception {
        LedgerServer server = serve(0);
        try (TcpFaultProxy proxy = TcpFaultProxy.start(0, "127.0.0.1", server.port())) {
            LedgerStream<FromHolder> stream = open(proxy.address());
            send(stream, sync(5));
            Await.until("heard", SOON, () -> owner.messages.size() == 1);
            proxy.freeze();
            int[] numbers = new int[2_000];

            int sent = on(holderContext, () -> {
                int count = 0;
                while (count < 100_000 && stream.send(new FromHolder.Returned(numbers, numbers))) count++;
                return Future.succeededFuture(count);
            });

            // what the sockets take is gone
            assertThat(sent).isBetween(GrpcStream.MOST_UNDER_WAY, 2 * GrpcStream.MOST_UNDER_WAY);
            assertThat(holder.ends)
                    .containsExactly("more than " + GrpcStream.MOST_UNDER_WAY + " messages wait to be sent");
            assertThat(stream.isOpen()).isFalse();
        }
        Await.until("the owner was told", SOON, () -> owner.ends.size() == 1);
        close(server);
    }

    @Test
    void a_flood_that_gets_through_is_taken_in_order() throws Exception {
        LedgerServer server = serve(0);
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());
        int messages = 10_000;
        for (int i = 0; i < messages; i += GrpcStream.MOST_UNDER_WAY / 2) {
            int first = i;
            int next = Math.min(messages, i + GrpcStream.MOST_UNDER_WAY / 2);
            on(holderContext, () -> {
                for (int k = first; k < next; k++) stream.send(new FromHolder.Ask(k));
                return Future.succeededFuture();
            });
            Await.until("those before", SOON, () -> owner.messages.size() >= first);
        }

        Await.until("all", SOON, () -> owner.messages.size() == messages);
        for (int i = 0; i < messages; i++) assertThat(owner.messages.get(i)).isEqualTo(new FromHolder.Ask(i));
        assertThat(holder.ends).isEmpty();
        close(server);
    }

    @Test
    void what_cannot_be_understood_ends_the_stream() throws Exception {
        var proto = dev.penstock.kit.ledger.proto.FromHolder.newBuilder();
        proto.getReturnedBuilder().addNumbers(1);
        assertThatThrownBy(() -> LedgerMessages.fromProto(proto.build())).hasMessageContaining("1 numbers beside 0");
        proto.getReturnedBuilder().addSlots(-1);
        assertThatThrownBy(() -> LedgerMessages.fromProto(proto.build())).hasMessageContaining("expected 0 or more");
        assertThat(LedgerMessages.fromProto(dev.penstock.kit.ledger.proto.FromHolder.getDefaultInstance()))
                .isNull();

        LedgerServer server = serve(0);
        LedgerStream<FromHolder> stream = open("127.0.0.1:" + server.port());
        send(stream, new FromHolder.Ask(-1));
        Await.until("ended", SOON, () -> owner.ends.size() == 1 && holder.ends.size() == 1);
        assertThat(owner.ends.getFirst()).startsWith("malformed");
        close(server);
    }

    @Test
    void an_address_nobody_listens_on_and_one_that_is_none_are_failures() throws Exception {
        int port = FreePorts.one();
        assertThatThrownBy(() -> open("127.0.0.1:" + port)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> open("nonsense")).hasMessageContaining("expected host:port");
        assertThat(holder.ends).isEmpty();
        LedgerServer server = serve(port);
        Vertx another = Vertx.vertx();
        assertThatThrownBy(() -> join(LedgerServer.listen(another, "127.0.0.1", port, stream -> owner)))
                .hasCauseInstanceOf(PortTakenException.class);
        join(another.close());
        close(server);
    }

    private static FromHolder.Sync sync(long session) {
        return new FromHolder.Sync(
                ROUTER, POOL, 42, session, new int[] {3, 300}, new int[] {24, 8}, new int[] {20, 0}, 2);
    }

    private LedgerServer serve(int port) throws Exception {
        return listen(port, stream -> {
            served.add(stream);
            return owner;
        });
    }

    private LedgerServer listen(int port, LedgerHandler handler) throws Exception {
        return on(ownerContext, () -> LedgerServer.listen(vertx, "127.0.0.1", port, handler));
    }

    private LedgerStream<FromHolder> open(String address) throws Exception {
        return on(holderContext, () -> client.open(address, holder));
    }

    private void send(LedgerStream<FromHolder> stream, FromHolder message) throws Exception {
        on(holderContext, () -> Future.succeededFuture(stream.send(message)));
    }

    private void close(LedgerServer server) throws Exception {
        on(ownerContext, server::close);
    }

    private static <T> T on(Context context, Callable<Future<T>> work) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(run -> {
            try {
                work.call().onComplete(done);
            } catch (Exception | AssertionError failure) {
                done.fail(failure);
            }
        });
        return join(done.future());
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
