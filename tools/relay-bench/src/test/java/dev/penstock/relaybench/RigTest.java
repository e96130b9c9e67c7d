package dev.penstock.relaybench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.relaybench.rig.Answer;
import dev.penstock.relaybench.rig.Engines;
import dev.penstock.relaybench.rig.Load;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rig's process on both sides of a bare relay. */
class RigTest {
    private static final int REQUESTS = 40;

    @TempDir
    Path folder;

    private Vertx vertx;
    private RigProcess rig;
    private int port;

    @BeforeEach
    void start() throws Exception {
        rig = RigProcess.start(Cores.of(false), 2, folder.resolve("rig.log"));
        vertx = Vertx.vertx();
        port = FreePorts.one();
        SocketAddress engine = SocketAddress.inetSocketAddress(rig.enginePort(), Engines.host(1));
        vertx.deployVerticle(new BareRelay(port, engine))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void each_kind_of_load_is_answered_to_its_end() throws Exception {
        for (Answer answer : Answer.values()) {
            Counts counts = run(Load.closed(512, answer, 4).most(REQUESTS));

            assertThat(counts.failed()).as("%s: %s", answer, counts).isZero();
            assertThat(counts.answered()).as("%s", answer).isEqualTo(REQUESTS);
            assertThat(counts.events())
                    .as("%s", answer)
                    .isEqualTo(
                            switch (answer) {
                                case JSON -> 0;
                                case LOCKSTEP, PACED -> 50 * REQUESTS;
                                case MIX -> 50 * REQUESTS / 2;
                            });
        }
    }

    @Test
    void a_body_of_20_megabytes_is_read_to_its_end() throws Exception {
        assertThat(run(Load.closed(20_000_000, Answer.JSON, 2).most(4)).answered())
                .isEqualTo(4);
    }

    @Test
    void an_open_loop_sends_by_its_schedule() throws Exception {
        long start = System.nanoTime();
        Counts counts = run(Load.open(512, Answer.JSON, 4, 100).most(REQUESTS));

        assertThat(counts.answered()).isEqualTo(REQUESTS);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(380));
    }

    @Test
    void faults_are_injected_and_told_apart() throws Exception {
        Counts counts = run(Load.closed(512, Answer.MIX, 4).most(400).faults(0.3));

        assertThat(counts.abandoned()).isBetween(10L, 100L);
        assertThat(counts.failed()).isBetween(30L, 160L);
    }

    private Counts run(Load load) throws Exception {
        rig.begin(load.at(port));
        Await.until("all of " + load + " are over", Duration.ofSeconds(30), () -> {
            Counts counts = rig.mark();
            return counts.answered() + counts.failed() + counts.abandoned() >= load.most();
        });
        return rig.end();
    }
}
