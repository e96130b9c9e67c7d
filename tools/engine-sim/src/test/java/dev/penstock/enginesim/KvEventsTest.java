package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.kvevents.KvEventOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessagePack;
import org.msgpack.value.ArrayValue;
import org.msgpack.value.MapValue;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** What engines publish, over real sockets. A block is 16 tokens of 4 bytes. */
class KvEventsTest {
    private static final int CONNECTIONS = 5;
    private static final int PROMPTS_EACH = 40;
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final KvEventOptions MAPS = new KvEventOptions(0, true, true, 10_000);

    private final ZContext zmq = new ZContext();

    private record Message(long number, ArrayValue events) {}

    @AfterEach
    void close() {
        zmq.close();
    }

    @Test
    void a_prompt_is_told_as_its_blocks_and_told_again() throws Exception {
        try (RunningFleet fleet = new RunningFleet(options(KvEventOptions.onAnyPorts()))) {
            ZMQ.Socket subscription = subscribe(fleet);
            complete(fleet, text(200, 'a'), "");
            complete(fleet, text(200, 'a') + text(64, 'b'), "");

            Message first = receive(subscription);
            Message second = receive(subscription);

            ArrayValue stored = first.events().get(0).asArrayValue();
            assertThat(stored.get(0).asStringValue().asString()).isEqualTo("BlockStored");
            assertThat(stored.get(1).asArrayValue()).hasSize(3);
            assertThat(stored.get(1).asArrayValue().get(0).asBinaryValue().asByteArray())
                    .hasSize(32);
            assertThat(stored.get(2).isNilValue()).isTrue();
            assertThat(textOf(stored.get(3).asArrayValue())).isEqualTo(text(192, 'a'));
            assertThat(stored.get(4).asIntegerValue().asInt()).isEqualTo(16);
            assertThat(stored.get(6).asStringValue().asString()).isEqualTo("GPU");
            assertThat(second.number()).isEqualTo(first.number() + 1);
            ArrayValue more = second.events().get(0).asArrayValue();
            assertThat(more.get(2)).isEqualTo(stored.get(1).asArrayValue().get(2));
            assertThat(textOf(more.get(3).asArrayValue())).isEqualTo(text(8, 'a') + text(56, 'b'));
            assertThat(replay(fleet, first.number())).containsExactly(first, second);
            assertThat(replay(fleet, second.number())).containsExactly(second);
            List<Message> all = replay(fleet, 0);
            assertThat(all.getFirst().number()).isZero();
            assertThat(all).endsWith(first, second);
        }
    }

    @Test
    void maps_leave_out_what_is_not_there_and_tell_adapter_salt_and_images() throws Exception {
        EngineFleetOptions options = options(MAPS).withModels("base", "adapter");
        try (RunningFleet fleet = new RunningFleet(options)) {
            ZMQ.Socket subscription = subscribe(fleet);
            String image = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:,x\"}}";
            String words = "{\"type\":\"text\",\"text\":\"" + text(64, 'w') + "\"}";
            fleet.post(
                    "/v1/chat/completions",
                    "{\"model\":\"adapter\",\"cache_salt\":\"tenant\",\"max_tokens\":1,\"messages\":"
                            + "[{\"role\":\"user\",\"content\":[" + words + "," + image + "]}]}");

            MapValue stored = receive(subscription).events().get(0).asMapValue();

            assertThat(text(stored, "type")).isEqualTo("BlockStored");
            assertThat(text(stored, "lora_name")).isEqualTo("adapter");
            ArrayValue keys = get(stored, "extra_keys").asArrayValue();
            assertThat(keys).hasSize(17);
            assertThat(keys.get(0)).hasToString("[\"adapter\",\"tenant\"]");
            assertThat(keys.get(1)).hasToString("[\"adapter\",[\"image\",0]]");
            assertThat(get(stored, "block_hashes").asArrayValue().get(0).isIntegerValue())
                    .isTrue();
            complete(fleet, text(64, 'z'), "");
            MapValue plain = receive(subscription).events().get(0).asMapValue();
            assertThat(plain.keySet()).hasSize(6).doesNotContain(ValueFactory.newString("lora_name"));
        }
    }

    @Test
    void sglang_tells_blocks_one_by_one_and_that_all_are_gone() throws Exception {
        EngineFleetOptions options = options(KvEventOptions.onAnyPorts()).withKind(EngineKind.SGLANG);
        try (RunningFleet fleet = new RunningFleet(options)) {
            ZMQ.Socket subscription = subscribe(fleet);
            complete(fleet, text(128, 'a'), "");
            ArrayValue events = receive(subscription).events();
            assertThat(events).hasSize(2);
            ArrayValue second = events.get(1).asArrayValue();
            assertThat(second).hasSize(7);
            assertThat(second.get(1).asArrayValue().get(0).isIntegerValue()).isTrue();
            assertThat(second.get(2))
                    .isEqualTo(
                            events.get(0).asArrayValue().get(1).asArrayValue().get(0));

            fleet.post("/flush_cache", "");

            assertThat(receive(subscription).events()).hasToString("[[\"AllBlocksCleared\"]]");
        }
    }

    @Test
    void evicted_blocks_are_told() throws Exception {
        try (RunningFleet fleet = new RunningFleet(options(KvEventOptions.onAnyPorts()))) {
            fleet.fault(new Fault.KvShrink(1));
            ZMQ.Socket subscription = subscribe(fleet);
            Set<Value> stored = new HashSet<>();
            Set<Value> removed = new HashSet<>();

            // more than a hundredth of the cache
            for (char c = 'a'; c <= 'z' && removed.isEmpty(); c++) {
                complete(fleet, text(8_000, c), "");
                for (Value event : receive(subscription).events()) {
                    boolean stores = event.asArrayValue().get(0).toString().contains("BlockStored");
                    event.asArrayValue().get(1).asArrayValue().forEach(stores ? stored::add : removed::add);
                }
            }

            assertThat(removed).isNotEmpty();
            assertThat(stored).containsAnyElementsOf(removed);
        }
    }

    @Test
    void a_process_that_was_killed_counts_from_0_again() throws Exception {
        try (RunningFleet fleet = new RunningFleet(options(KvEventOptions.onAnyPorts()))) {
            ZMQ.Socket before = subscribe(fleet);
            complete(fleet, text(64, 'a'), "");
            receive(before);
            String address = fleet.engine.kvEvents();

            fleet.fault(new Fault.Kill());
            fleet.clearFault();

            assertThat(fleet.engine.kvEvents()).isEqualTo(address);
            assertThat(replay(fleet, 0)).isEmpty();
            complete(fleet, text(64, 'a'), "");
            RunningFleet.awaitUntil("a message", SOON, () -> {
                try {
                    return replay(fleet, 0).stream().anyMatch(message -> message.number() == 0);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void options_say_what_they_expected() {
        assertThatThrownBy(() -> KvEventOptions.of(-1, "array", "int"))
                .hasMessage("--kv-events: expected 0 to 65534, got -1");
        assertThatThrownBy(() -> KvEventOptions.of(5_557, "json", "int"))
                .hasMessage("--kv-events-format: expected array or map, got 'json'");
        assertThatThrownBy(() -> KvEventOptions.of(5_557, "map", "hex"))
                .hasMessage("--kv-events-hashes: expected bytes or int, got 'hex'");
    }

    private static EngineFleetOptions options(KvEventOptions events) {
        return EngineFleetOptions.defaults().withKvEvents(events);
    }

    /**
     * Returns when the subscription has arrived: what is sent before that is lost. A connection of JeroMQ's that stays unread
     * is made again.
     */
    private ZMQ.Socket subscribe(RunningFleet fleet) throws Exception {
        for (int attempt = 0; attempt < CONNECTIONS; attempt++) {
            ZMQ.Socket socket = zmq.createSocket(SocketType.SUB);
            socket.setReceiveTimeOut(20);
            socket.subscribe(ZMQ.SUBSCRIPTION_ALL);
            socket.connect(fleet.engine.kvEvents());
            for (int i = 0; i < PROMPTS_EACH; i++) {
                complete(fleet, text(64, 'x') + text(64, (char) ('A' + PROMPTS_EACH * attempt + i)), "");
                if (socket.recv() == null) continue;
                while (socket.recv() != null) {}
                socket.setReceiveTimeOut((int) SOON.toMillis());
                return socket;
            }
            zmq.destroySocket(socket);
        }
        throw new AssertionError("no subscription at " + fleet.engine.kvEvents());
    }

    private static void complete(RunningFleet fleet, String prompt, String more)
            throws IOException, InterruptedException {
        fleet.post("/v1/completions", "{\"max_tokens\":1,\"prompt\":\"" + prompt + "\"" + more + "}");
    }

    private static Message receive(ZMQ.Socket socket) throws IOException {
        byte[] topic = socket.recv();
        assertThat(topic).isEmpty();
        return message(socket.recv(), socket.recv());
    }

    private static Message message(byte[] number, byte[] payload) throws IOException {
        ArrayValue message =
                MessagePack.newDefaultUnpacker(payload).unpackValue().asArrayValue();
        assertThat(message).hasSize(3);
        return new Message(ByteBuffer.wrap(number).getLong(), message.get(1).asArrayValue());
    }

    /** Asks again where nothing comes: JeroMQ now and then leaves a first message unread until another connection comes. */
    private List<Message> replay(RunningFleet fleet, long from) throws IOException {
        for (int attempt = 0; attempt < 20; attempt++) {
            ZMQ.Socket socket = zmq.createSocket(SocketType.DEALER);
            socket.setReceiveTimeOut(500);
            socket.connect(fleet.engine.kvReplay());
            socket.send(new byte[0], ZMQ.SNDMORE);
            socket.send(ByteBuffer.allocate(8).putLong(from).array());
            List<Message> messages = new ArrayList<>();
            while (socket.recv() != null) {
                byte[] number = socket.recv();
                byte[] payload = socket.recv();
                if (ByteBuffer.wrap(number).getLong() == -1) return messages;
                messages.add(message(number, payload));
            }
        }
        throw new AssertionError("no answer from " + fleet.engine.kvReplay());
    }

    private static String text(int length, char character) {
        return String.valueOf(character).repeat(length);
    }

    private static String textOf(ArrayValue tokens) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * tokens.size());
        tokens.forEach(token -> bytes.putInt((int) token.asIntegerValue().asLong()));
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    private static Value get(MapValue map, String key) {
        return map.map().get(ValueFactory.newString(key));
    }

    private static String text(MapValue map, String key) {
        return get(map, key).asStringValue().asString();
    }
}
