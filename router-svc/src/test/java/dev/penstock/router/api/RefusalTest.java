package dev.penstock.router.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.pick.Routing;
import org.junit.jupiter.api.Test;

/** What a decision without a replica is answered with. */
class RefusalTest {
    @Test
    void a_request_that_only_lacks_a_slot_may_come_again() {
        ApiError error = ApiError.refused(Routing.Reason.NO_SLOT, "m");

        assertThat(error.status()).isEqualTo(429);
        assertThat(error.code()).isEqualTo("replicas_saturated");
        assertThat(error.retryAfterMillis()).isPositive();
    }

    @Test
    void a_model_without_a_replica_and_one_that_nobody_knows_are_told_apart() {
        assertThat(ApiError.refused(Routing.Reason.NO_REPLICA, "m").status()).isEqualTo(503);
        assertThat(ApiError.refused(Routing.Reason.UNKNOWN_MODEL, "m").status()).isEqualTo(404);
    }
}
