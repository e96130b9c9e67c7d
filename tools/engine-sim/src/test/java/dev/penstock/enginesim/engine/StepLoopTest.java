package dev.penstock.enginesim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.StepObserver;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.step.Work;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StepLoopTest {
    private static final long LAG_NANOS = 100_000_000;

    /** A thread that is taken off its core between two looks at the clock finds the request's step over. */
    @Test
    void a_sequence_that_ends_while_it_is_submitted_is_known_by_then() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            AtomicLong clock = new AtomicLong();
            StepLoop loop = new StepLoop(
                    vertx,
                    new StepSimulator(
                            Profile.FAST,
                            () -> clock.addAndGet(LAG_NANOS),
                            new SplittableRandom(1),
                            StepObserver.NONE));
            List<Sequence> taken = new ArrayList<>();
            List<Sequence> takenAtItsEnd = new ArrayList<>();

            Sequence sequence = loop.submit(Work.of(64, 1), ended -> takenAtItsEnd.addAll(taken), taken::add);

            assertThat(sequence.finished()).isTrue();
            assertThat(takenAtItsEnd).containsExactly(sequence);
        } finally {
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }
}
