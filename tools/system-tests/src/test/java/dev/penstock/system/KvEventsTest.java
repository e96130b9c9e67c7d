package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.PrefixCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What engines of both kinds hold is told on the bus in the very hashes that a router makes of the prompt. */
class KvEventsTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Map<Integer, Set<Long>> numberToHeld = new ConcurrentHashMap<>();

    @TempDir
    static Path data;

    private static final Vertx vertx = Vertx.vertx();
    private static @Nullable Suite suite;
    private static @Nullable KafkaBus bus;

    @BeforeAll
    static void up() throws Exception {
        Path config = data.resolve("penstock.yaml");
        Files.writeString(config, "models: [{name: sim/llama-3-8b, prefix: {mode: events, vocabulary: bytes4}}]");
        suite = Suite.start(
                data, 1, 2, "--engines", "2", "--engine-kind", "mixed", "--kv-events", "--config", config.toString());
        String kafka = new JsonObject(Files.readString(data.resolve("run.json"))).getString("kafka");
        bus = KafkaBus.create(
                vertx, new KafkaConfig(kafka, (short) 1), Incarnation.fresh("test"), new SimpleMeterRegistry());
        CountDownLatch reading = new CountDownLatch(1);
        bus.subscribe(List.of(Topics.PREFIX), (topic, key, value, nanos) -> read(value), reading::countDown);
        assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @AfterAll
    static void down() throws Exception {
        if (bus != null) bus.close().await(10, TimeUnit.SECONDS);
        vertx.close().await(10, TimeUnit.SECONDS);
        Suite.close(suite);
    }

    @Test
    void what_engines_hold_is_told_in_the_hashes_of_the_prompt() throws Exception {
        for (String engine : List.of("engine-0", "engine-1")) {
            // straight to the engine: whichever router sent it, it is the engine that tells
            int port = suite().enginePorts().get(engine);
            int number = number(engine);
            String prompt = (engine + ", once more: the quick brown fox jumps over the lazy dog. ").repeat(80);
            complete(port, prompt);

            Set<Long> hashes = hashes(prompt.substring(0, prompt.length() / 64 * 64));
            assertThat(hashes).hasSizeGreaterThan(10);
            Await.until(engine + " holds it", SOON, () -> {
                complete(port, prompt);
                return numberToHeld.getOrDefault(number, Set.of()).containsAll(hashes);
            });

            suite().fault(engine, "kill");
            Await.until(engine + " holds nothing", SOON, () -> numberToHeld
                    .get(number)
                    .isEmpty());
            suite().clear(engine);
            Await.until(engine + " holds another prompt", SOON, () -> {
                complete(port, prompt + prompt);
                return numberToHeld.get(number).containsAll(hashes);
            });
        }
    }

    private static Suite suite() {
        if (suite == null) throw new IllegalStateException("not started");
        return suite;
    }

    private static void read(byte @Nullable [] value) {
        if (value == null) return;
        try {
            for (PrefixRecord.PrefixBlocks blocks : PrefixCodec.decode(value).blocks()) {
                Set<Long> held = numberToHeld.computeIfAbsent(blocks.number(), none -> ConcurrentHashMap.newKeySet());
                if (blocks.cleared()) held.clear();
                for (long hash : blocks.removed()) held.remove(hash);
                for (long hash : blocks.stored()) held.add(hash);
            }
        } catch (MalformedRecordException e) {
            throw new AssertionError(e);
        }
    }

    private static int number(String engine) {
        return Suite.replicas(suite().routerPorts().getFirst()).stream()
                .filter(replica -> replica.getString("name").equals(engine))
                .findFirst()
                .orElseThrow()
                .getInteger("number");
    }

    private static void complete(int port, String prompt) {
        String body =
                new JsonObject().put("prompt", prompt).put("max_tokens", 1).encode();
        try {
            RawHttp.exchange(
                    port,
                    "POST /v1/completions HTTP/1.1\r\n"
                            + "host: engine\r\n"
                            + "content-type: application/json\r\n"
                            + "content-length: "
                            + body.length() + "\r\n\r\n" + body,
                    Suite.ANSWER_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Long> hashes(String prompt) {
        byte[] bytes = prompt.getBytes(StandardCharsets.UTF_8);
        PrefixChain chain = new PrefixChain();
        chain.start(PrefixChain.seed(Suite.MODEL, null));
        chain.add(bytes, 0, bytes.length);
        Set<Long> hashes = new HashSet<>();
        for (int i = 0; i < chain.blocks(); i++) hashes.add(chain.hash(i));
        return hashes;
    }
}
