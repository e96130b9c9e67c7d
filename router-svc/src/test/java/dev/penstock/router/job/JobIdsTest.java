package dev.penstock.router.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.model.Replica;
import org.junit.jupiter.api.Test;

class JobIdsTest {
    private static final Replica REPLICA = JobIdsProperties.replica(7, "uid-1");

    private final JobKeys keys = new JobKeys(JobIdsProperties.key(1));
    private final JobIds ids = new JobIds(keys);

    /** The figure is of another program's making. */
    @Test
    void an_id_is_the_same_at_every_router_and_each_time() {
        String id = id("resp_0123456789abcdef");

        assertThat(id)
                .isEqualTo(JobIdsProperties.of(
                        new JobIds(new JobKeys(JobIdsProperties.key(1))),
                        JobKind.RESPONSE,
                        "t",
                        REPLICA,
                        "resp_0123456789abcdef"))
                .isEqualTo("resp_AQAAAAesv1dFcmVzcF8wMTIzNDU2Nzg5YWJjZGVmj4A4fiLeBoI_UOaQqqyn3A");
    }

    @Test
    void what_can_not_be_put_into_a_path_gets_no_id() {
        for (String engineId : new String[] {"", ".", "..", "a/b", "a b", "a\"b", "a\\b", "a%2f", "é", "a?b", "a#b"}) {
            assertThat(JobIdsProperties.of(ids, JobKind.VIDEO, "t", REPLICA, engineId))
                    .as(engineId)
                    .isNull();
        }
        assertThat(JobIdsProperties.of(ids, JobKind.VIDEO, "t", REPLICA, "x".repeat(513)))
                .isNull();
        assertThat(JobIdsProperties.of(ids, JobKind.VIDEO, "t", REPLICA, "x".repeat(512)))
                .isNotNull();
    }

    @Test
    void an_engine_that_was_started_anew_is_another() {
        JobId id = ids.read(JobKind.RESPONSE, "t", id("resp_1"));

        assertThat(id != null && id.isOf(REPLICA)).isTrue();
        assertThat(id != null && id.isOf(JobIdsProperties.replica(7, "uid-2"))).isFalse();
        assertThat(id != null && id.isOf(JobIdsProperties.replica(8, "uid-1"))).isFalse();
    }

    @Test
    void ids_of_the_key_before_are_believed_and_new_ones_are_of_the_new_key() {
        String before = id("resp_1");

        assertThat(keys.signWith(JobIdsProperties.key(2))).isTrue();

        assertThat(ids.read(JobKind.RESPONSE, "t", before)).isNotNull();
        assertThat(id("resp_1"))
                .isEqualTo(JobIdsProperties.of(
                        new JobIds(new JobKeys(JobIdsProperties.key(2))), JobKind.RESPONSE, "t", REPLICA, "resp_1"));
        assertThat(keys.signWith(JobIdsProperties.key(2))).isFalse();
    }

    @Test
    void keys_that_were_never_seen_again_are_forgotten() {
        String first = id("resp_1");

        for (int seed = 2; seed <= 5; seed++) keys.signWith(JobIdsProperties.key(seed));

        assertThat(ids.read(JobKind.RESPONSE, "t", first)).isNull();
        assertThat(keys.all()).hasSize(4);
    }

    @Test
    void a_short_key_is_refused() {
        assertThatThrownBy(() -> new JobKeys(new byte[31])).hasMessageContaining("expected at least 32");
    }

    private String id(String engineId) {
        return String.valueOf(JobIdsProperties.of(ids, JobKind.RESPONSE, "t", REPLICA, engineId));
    }
}
