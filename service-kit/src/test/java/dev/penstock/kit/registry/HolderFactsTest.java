package dev.penstock.kit.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.LockIdentity;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HolderFactsTest {
    private static final Header HEADER = new Header("x", 1, 1, Header.NO_EPOCH, 1);
    private static final Holder FIRST = new Holder("router-0", 1);
    private static final Holder SECOND = new Holder("router-0", 2);
    private static final LockIdentity LOCK = new LockIdentity("boot", 1, 7);
    private static final PoolId POOL = new PoolId("local", "llama");

    private final HolderFacts facts = new HolderFacts();

    @Test
    void whoever_has_the_lock_proves_that_the_one_before_is_dead() {
        facts.record(registered(FIRST, LOCK, 10));

        HolderFacts.Change change = facts.record(registered(SECOND, LOCK, 20));

        assertThat(change.changed()).extracting(RegisteredHolder::holder).containsExactly(FIRST, SECOND);
        assertThat(known(FIRST).death()).isEqualTo("its lock was taken by router-0/0000000000000002");
        assertThat(known(SECOND).dead()).isFalse();
    }

    @Test
    void what_the_dead_had_sent_may_come_after_the_living() {
        facts.record(registered(SECOND, LOCK, 20));

        facts.record(registered(FIRST, LOCK, 10));

        assertThat(known(FIRST).dead()).isTrue();
        assertThat(known(SECOND).dead()).isFalse();
    }

    @Test
    void a_registration_that_is_written_again_is_the_same() {
        facts.record(registered(FIRST, LOCK, 10));
        facts.record(registered(FIRST, LOCK, 10));

        assertThat(known(FIRST).dead()).isFalse();
    }

    @Test
    void another_boot_device_or_file_proves_nothing() {
        facts.record(registered(FIRST, LOCK, 10));
        int nonce = 10;
        for (LockIdentity other : List.of(
                new LockIdentity("boot-2", 1, 7), new LockIdentity("boot", 2, 7), new LockIdentity("boot", 1, 8))) {
            facts.record(registered(new Holder("router-0", nonce++), other, 20));
        }

        assertThat(facts.all()).hasSize(4).noneMatch(RegisteredHolder::dead);
    }

    @Test
    void each_fact_is_kept_beside_the_others() {
        facts.record(registered(FIRST, LOCK, 10));
        facts.record(new RegistryRecord.Died(HEADER, FIRST, "operator"));
        facts.record(new RegistryRecord.Settled(HEADER, FIRST, POOL, 5, List.of(1, 2)));
        facts.record(new RegistryRecord.Left(HEADER, SECOND, Map.of(POOL, 4L)));

        assertThat(known(FIRST).death()).isEqualTo("operator");
        assertThat(known(FIRST).settled().get(POOL).numbers()).containsExactly(1, 2);
        assertThat(known(SECOND).registration()).isNull();
        assertThat(known(SECOND).left()).isNotNull();
    }

    @Test
    void who_is_forgotten_leaves_the_dead_dead() throws Exception {
        facts.record(registered(FIRST, LOCK, 10));
        facts.record(registered(SECOND, LOCK, 20));
        facts.record(new RegistryRecord.Settled(HEADER, FIRST, POOL, 5, List.of(1)));

        assertThat(facts.removed(SECOND.toString()).forgotten()).containsExactly(SECOND);
        assertThat(facts.removed(FIRST + "/settled/" + POOL).changed()).hasSize(1);
        assertThat(known(FIRST).dead()).isTrue();
        assertThat(known(FIRST).settled()).isEmpty();

        assertThat(facts.removed(FIRST.toString()).forgotten()).containsExactly(FIRST);
        assertThat(facts.all()).isEmpty();
        assertThat(facts.removed(FIRST.toString()).forgotten()).isEmpty();
    }

    private RegisteredHolder known(Holder holder) {
        RegisteredHolder known = facts.of(holder);
        assertThat(known).isNotNull();
        return known;
    }

    private static RegistryRecord.Registered registered(Holder holder, LockIdentity lock, long lockedNanos) {
        return new RegistryRecord.Registered(HEADER, holder, HolderKind.ROUTER, lock, lockedNanos, "http://h:8081");
    }
}
