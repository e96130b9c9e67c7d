package dev.penstock.collector.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.collector.http.Fetched;
import dev.penstock.collector.scrape.AdaptersInUse;
import dev.penstock.collector.scrape.Reading;
import dev.penstock.core.capacity.Work;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Replica;
import dev.penstock.testkit.ManualClock;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelLearnerTest {
    private static final String ENDPOINT = "http://e:1";

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(1));
    private final SeenAdapters seen = new SeenAdapters();
    private final Map<String, String> endpointToAnswer = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final ModelLearner learner = new ModelLearner(this::answer, seen, clock);
    private double stamp = 1e9;

    @Test
    void a_replica_without_models_is_asked_at_once() {
        loaded();

        complete(unnamed());

        assertThat(complete(unnamed()).models()).containsExactly("base");
        assertThat(complete(unnamed()).engine()).isEqualTo(EngineKind.VLLM);
        assertThat(complete(unnamed()).adapters()).isEmpty();
    }

    @Test
    void an_adapter_is_learned_and_forgotten_within_two_seconds() {
        loaded();
        assertThat(complete(named()).adapters()).isNull();
        runFor(1_500);
        assertThat(complete(named()).adapters()).isEmpty();

        loaded("sql");
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        assertThat(complete(named()).adapters()).containsExactly("sql");

        loaded("chat", "sql");
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        assertThat(complete(named()).adapters()).containsExactly("chat", "sql");

        loaded();
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        assertThat(complete(named()).adapters()).isEmpty();
        assertThat(complete(named()).models()).containsExactly("mine");
    }

    @Test
    void each_replica_is_asked_once_in_a_second_and_a_half_and_not_all_together() {
        List<DiscoveredReplica> fleet = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            fleet.add(replica("http://e:" + i, List.of("m"), EngineKind.VLLM));
            endpointToAnswer.put("http://e:" + i, "{\"data\":[{\"id\":\"base\"}]}");
        }
        learner.complete(fleet);
        int most = 0;
        for (int i = 0; i < 30; i++) {
            int before = asked.size();
            clock.advanceMillis(100);
            learner.tick();
            most = Math.max(most, asked.size() - before);
        }

        assertThat(asked).hasSizeBetween(580, 600);
        assertThat(most).isLessThan(60);
    }

    @Test
    void who_does_not_answer_keeps_what_it_had() {
        loaded("sql");
        complete(named());
        runFor(2_000);
        assertThat(complete(named()).adapters()).containsExactly("sql");

        for (String answer : new String[] {"<html>", "{}", "500"}) {
            endpointToAnswer.put(ENDPOINT, answer);
            runFor(10_000);
            assertThat(complete(named()).adapters()).containsExactly("sql");
        }
        loaded();
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        assertThat(complete(named()).adapters()).isEmpty();
    }

    @Test
    void who_never_answered_has_no_adapters_known() {
        complete(named());
        runFor(5_000);

        assertThat(complete(named()).adapters()).isNull();
    }

    @Test
    void an_adapter_in_use_counts_before_the_engine_was_asked() {
        loaded();
        complete(named());
        runFor(2_000);
        complete(named());

        uses("yesterday");
        assertThat(complete(named()).adapters()).isEmpty();
        uses("sql");
        assertThat(learner.tick()).isTrue();
        assertThat(complete(named()).adapters()).containsExactly("sql");

        clock.advanceMillis(1_600);
        assertThat(complete(named()).adapters()).isEmpty();
    }

    /** After a change of the roster's owner: what the record names stays until the engine was asked. */
    @Test
    void those_in_use_are_not_taken_for_all_before_the_engine_was_asked() {
        uses("sql");
        uses("sql");
        assertThat(complete(named()).adapters()).isNull();

        runFor(2_000);
        uses("sql");
        assertThat(complete(named()).adapters()).containsExactly("sql");
    }

    @Test
    void an_unloaded_adapter_is_gone_although_requests_still_use_it() {
        loaded("sql");
        complete(named());
        runFor(2_000);
        uses("sql");
        uses("sql");
        complete(named());

        loaded();
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        uses("sql");
        assertThat(complete(named()).adapters()).isEmpty();

        loaded("sql");
        assertThat(millisUntilChange()).isLessThanOrEqualTo(1_600);
        assertThat(complete(named()).adapters()).containsExactly("sql");
    }

    private Future<Fetched> answer(String endpoint) {
        asked.add(endpoint);
        @Nullable String answer = endpointToAnswer.get(endpoint);
        if (answer == null) return Future.succeededFuture(new Fetched.Broken("refused"));
        if (answer.equals("500")) return Future.succeededFuture(new Fetched.Answer(500, new byte[0]));
        return Future.succeededFuture(new Fetched.Answer(200, answer.getBytes(StandardCharsets.UTF_8)));
    }

    private void loaded(String... adapters) {
        StringBuilder body = new StringBuilder("{\"data\":[{\"id\":\"base\",\"owned_by\":\"vllm\"}");
        for (String name : adapters) body.append(",{\"id\":\"").append(name).append("\",\"parent\":\"base\"}");
        endpointToAnswer.put(ENDPOINT, body.append("]}").toString());
    }

    private void uses(String... adapters) {
        stamp += 0.05;
        Replica replica = Replica.serving("mine", "engine-0", 1, "u", ENDPOINT);
        seen.read(
                replica,
                new Reading(1, 0, 0, 5, false, false, Work.UNKNOWN, new AdaptersInUse(stamp, List.of(adapters))),
                clock.getAsLong());
    }

    private long millisUntilChange() {
        long millis = 0;
        while (!learner.tick()) {
            clock.advanceMillis(100);
            millis += 100;
            assertThat(millis).isLessThan(10_000);
        }
        return millis;
    }

    private void runFor(int millis) {
        for (int i = 0; i < millis / 100; i++) {
            clock.advanceMillis(100);
            learner.tick();
        }
    }

    private DiscoveredReplica complete(DiscoveredReplica replica) {
        return learner.complete(List.of(replica)).getFirst();
    }

    private static DiscoveredReplica named() {
        return replica(ENDPOINT, List.of("mine"), EngineKind.VLLM);
    }

    private static DiscoveredReplica unnamed() {
        return replica(ENDPOINT, List.of(), EngineKind.AUTO);
    }

    private static DiscoveredReplica replica(String endpoint, List<String> models, EngineKind kind) {
        return new DiscoveredReplica("engine-0", endpoint, null, models, kind, null, null, null, Map.of());
    }
}
