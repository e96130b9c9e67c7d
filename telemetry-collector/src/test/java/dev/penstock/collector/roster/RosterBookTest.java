package dev.penstock.collector.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RosterBookTest {
    private final ManualClock clock = new ManualClock();
    private final AtomicLong uids = new AtomicLong();
    private final Map<String, RosterRecord> topic = new LinkedHashMap<>();
    private RosterBook book = new RosterBook(() -> "uid-" + uids.incrementAndGet(), new ReadyTimes());

    @Test
    void a_name_keeps_its_number_and_uid_over_a_restart() {
        apply(replica("a", 1, "m"), replica("b", 2, "m"));
        Replica before = topic.get("b").replica();

        restart();
        apply(replica("b", 2, "m"), replica("a", 1, "m"));

        assertThat(topic.get("b").replica()).isEqualTo(before);
    }

    @Test
    void another_endpoint_is_another_incarnation_of_the_same_number() {
        apply(replica("a", 1, "m"));
        Replica before = topic.get("a").replica();

        apply(replica("a", 2, "m"));

        assertThat(topic.get("a").replica().number()).isEqualTo(before.number());
        assertThat(topic.get("a").replica().uid()).isNotEqualTo(before.uid());
    }

    @Test
    void a_restarted_engine_is_another_incarnation_once() {
        apply(replica("a", 1, "m"), replica("b", 2, "m"));
        Replica before = topic.get("a").replica();

        book.restarted(before.number());
        apply(replica("a", 1, "m"), replica("b", 2, "m"));
        Replica after = topic.get("a").replica();
        apply(replica("a", 1, "m"), replica("b", 2, "m"));

        assertThat(after.number()).isEqualTo(before.number());
        assertThat(after.uid()).isNotEqualTo(before.uid());
        assertThat(topic.get("a").replica()).isEqualTo(after);
    }

    @Test
    void the_record_of_the_gone_ends_except_for_the_highest_number() {
        apply(replica("a", 1, "m"), replica("b", 2, "m"));
        apply();
        assertThat(topic.values()).allMatch(RosterRecord::gone);

        clock.advance(Duration.ofMinutes(10));
        apply();

        assertThat(topic).containsOnlyKeys("b");
        restart();
        apply(replica("c", 3, "m"));
        assertThat(topic.get("c").replica().number()).isEqualTo(3);
    }

    @Test
    void a_replica_whose_models_are_unknown_stays_as_it_was_or_waits() {
        apply(replica("a", 1, "m"));
        restart();

        apply(replica("a", 1), replica("b", 2));

        assertThat(topic.get("a").gone()).isFalse();
        assertThat(topic).doesNotContainKey("b");
    }

    @Test
    void adapters_follow_the_models_and_are_told_as_they_come_and_go() {
        apply(adapters(replica("a", 1, "m", "alias"), "sql"));
        Replica before = topic.get("a").replica();
        assertThat(before.models()).containsExactly("m", "alias", "sql");

        apply(adapters(replica("a", 1, "m", "alias"), "chat", "sql", "alias"));
        assertThat(topic.get("a").replica().models()).containsExactly("m", "alias", "chat", "sql");
        apply(adapters(replica("a", 1, "m", "alias")));
        assertThat(topic.get("a").replica().models()).containsExactly("m", "alias");
        assertThat(topic.get("a").replica().uid()).isEqualTo(before.uid());
        assertThat(topic.get("a").replica().pool()).isEqualTo(before.pool());
    }

    @Test
    void until_a_replica_has_told_of_its_adapters_those_of_its_record_stay() {
        apply(adapters(replica("a", 1, "m"), "sql"));

        restart();
        apply(replica("a", 1, "m"));
        assertThat(topic.get("a").replica().models()).containsExactly("m", "sql");

        apply(replica("a", 1, "other"));
        assertThat(topic.get("a").replica().models()).containsExactly("other");
        apply(adapters(replica("a", 1, "other"), "sql"));
        apply(replica("a", 9, "other"));
        assertThat(topic.get("a").replica().models()).containsExactly("other");
    }

    @Test
    void a_pool_clash_refuses_the_newcomer_wherever_it_stands() {
        apply(replica("a", 1, "x/m"));

        apply(replica("b", 2, "y/m"), replica("a", 1, "x/m"));

        assertThat(topic).containsOnlyKeys("a");
        assertThat(book.refusals().get("b")).contains("y/m").contains("x/m").contains("local/m");
    }

    @Test
    void the_age_of_an_incarnation_grows_with_each_assertion() {
        apply(replica("a", 1, "m"));
        assertThat(age("a")).isZero();

        clock.advance(Duration.ofSeconds(30));
        apply(replica("a", 1, "m"), replica("b", 2, "m"));
        assertAgain();
        assertThat(age("a")).isEqualTo(30_000);
        assertThat(age("b")).isZero();

        clock.advance(Duration.ofSeconds(30));
        apply(replica("a", 1, "m", "m-lora"), replica("b", 2, "m"));
        assertThat(age("a")).isEqualTo(60_000);
    }

    @Test
    void another_incarnation_begins_at_zero_and_the_gone_have_no_age() {
        apply(replica("a", 1, "m"), replica("b", 2, "m"), replica("c", 3, "m"));
        clock.advance(Duration.ofSeconds(40));

        book.restarted(topic.get("b").replica().number());
        apply(replica("a", 11, "m"), replica("b", 2, "m"));
        assertThat(age("a")).isZero();
        assertThat(age("b")).isZero();
        assertThat(age("c")).isEqualTo(RosterRecord.AGE_UNKNOWN);

        clock.advance(Duration.ofSeconds(5));
        apply(replica("a", 11, "m"), replica("b", 2, "m"), replica("c", 3, "m"));
        assertAgain();
        assertThat(age("a")).isEqualTo(5_000);
        assertThat(age("b")).isEqualTo(5_000);
        assertThat(age("c")).isZero();
    }

    @Test
    void another_owner_goes_on_with_the_age_it_followed_by_a_clock_of_its_own() {
        ManualClock clockOfNext = ManualClock.overflowingIn(Duration.ofSeconds(35));
        ReadyTimes followed = new ReadyTimes();
        apply(replica("a", 1, "m"));
        clock.advance(Duration.ofSeconds(30));
        assertAgain();
        followed.heard(topic.get("a"), clockOfNext.getAsLong());

        // the owner ends 25 s after its last assertion, and the topic is read anew
        clockOfNext.advance(Duration.ofSeconds(25));
        takeOver(followed, clockOfNext);
        clockOfNext.advance(Duration.ofSeconds(15));
        book.all(clockOfNext.getAsLong()).forEach(this::tell);

        assertThat(age("a")).isEqualTo(70_000);
    }

    @Test
    void an_owner_that_has_just_started_goes_on_with_what_the_last_record_says() {
        apply(replica("a", 1, "m"));
        clock.advance(Duration.ofSeconds(30));
        assertAgain();
        clock.advance(Duration.ofSeconds(25));

        restart();
        clock.advance(Duration.ofSeconds(1));
        apply(replica("a", 1, "m"));
        assertAgain();

        assertThat(age("a")).isEqualTo(31_000);
    }

    @Test
    void an_age_that_an_older_version_did_not_tell_stays_unknown_until_the_next_incarnation() {
        apply(replica("a", 1, "m"));
        topic.computeIfPresent(
                "a",
                (name, roster) -> new RosterRecord(
                        roster.header(), roster.replica(), false, roster.highestNumber(), RosterRecord.AGE_UNKNOWN));
        restart();

        apply(replica("a", 1, "m"));
        assertAgain();
        assertThat(age("a")).isEqualTo(RosterRecord.AGE_UNKNOWN);

        apply(replica("a", 2, "m"));
        assertThat(age("a")).isZero();
    }

    @Property(tries = 300, seed = "1")
    void no_number_is_given_twice(@ForAll @Size(max = 60) List<@IntRange(min = 0, max = 40) Integer> steps) {
        Map<String, Integer> wanted = new HashMap<>();
        Map<Integer, String> numberToName = new HashMap<>();
        Set<String> uidsSeen = new HashSet<>();
        for (int step : steps) {
            String name = "r" + step % 6;
            switch (step / 6) {
                case 0, 1, 2 -> wanted.put(name, step);
                case 3, 4 -> wanted.remove(name);
                case 5 -> clock.advance(Duration.ofMinutes(10));
                default -> restart();
            }
            apply(wanted.entrySet().stream()
                    .map(entry -> replica(entry.getKey(), entry.getValue() + 1, "m"))
                    .toArray(DiscoveredReplica[]::new));

            Set<Integer> present = new HashSet<>();
            for (RosterRecord each : topic.values()) {
                Replica replica = each.replica();
                assertThat(present.add(replica.number())).isTrue();
                assertThat(numberToName.computeIfAbsent(replica.number(), n -> replica.name()))
                        .isEqualTo(replica.name());
                assertThat(each.gone()).isEqualTo(!wanted.containsKey(replica.name()));
                uidsSeen.add(replica.uid() + "@" + replica.endpoint());
            }
            assertThat(present).hasSizeGreaterThanOrEqualTo(wanted.size());
        }
        assertThat(uidsSeen.stream()
                        .map(each -> each.substring(0, each.indexOf('@')))
                        .distinct())
                .hasSameSizeAs(uidsSeen);
    }

    private static DiscoveredReplica adapters(DiscoveredReplica replica, String... names) {
        return new DiscoveredReplica(
                replica.name(),
                replica.endpoint(),
                null,
                replica.models(),
                replica.engine(),
                null,
                null,
                null,
                Map.of(),
                null,
                List.of(names));
    }

    private void restart() {
        takeOver(new ReadyTimes(), clock);
    }

    private void takeOver(ReadyTimes followed, ManualClock clockOfNext) {
        book = new RosterBook(() -> "uid-" + uids.incrementAndGet(), followed);
        topic.forEach((name, roster) -> book.read(name, roster, clockOfNext.getAsLong()));
    }

    private void assertAgain() {
        book.all(clock.getAsLong()).forEach(this::tell);
    }

    private long age(String name) {
        return topic.get(name).readyAgeMillis();
    }

    private void apply(DiscoveredReplica... wanted) {
        for (RosterBook.Change change : new ArrayList<>(book.apply(List.of(wanted), clock.getAsLong(), 0))) {
            tell(change);
        }
    }

    private void tell(RosterBook.Change change) {
        switch (change) {
            case RosterBook.Change.Told told ->
                topic.put(
                        told.name(),
                        new RosterRecord(
                                new Header("c", 1, 0, Header.NO_EPOCH, 0),
                                told.replica(),
                                told.gone(),
                                book.highestNumber(),
                                told.readyAgeMillis()));
            case RosterBook.Change.Forgotten forgotten -> topic.remove(forgotten.name());
        }
    }

    private static DiscoveredReplica replica(String name, int port, String... models) {
        return new DiscoveredReplica(
                name, "http://127.0.0.1:" + port, null, List.of(models), EngineKind.VLLM, null, null, null, Map.of());
    }
}
