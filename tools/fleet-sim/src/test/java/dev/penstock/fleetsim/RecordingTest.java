package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
    private static final BatchProfile PROFILE = BatchProfile.LLAMA_8B_H100;

    @TempDir
    private Path folder;

    @Test
    void theGeneratedOneIsAlwaysTheSameAndHasItsMeans() {
        Recording one = Recording.generated(20_000);
        Recording two = Recording.generated(20_000);

        double prompts = 0;
        double outputs = 0;
        for (int row = 0; row < one.size(); row++) {
            assertThat(two.demand(row)).isEqualTo(one.demand(row));
            prompts += one.demand(row).promptTokens();
            outputs += one.demand(row).outputTokens();
        }
        assertThat(prompts / one.size()).isCloseTo(12_035, withinPercentage(6));
        assertThat(outputs / one.size()).isCloseTo(343, withinPercentage(5));
        assertThat(one.spanNanos() / 1e9).isCloseTo(20_000, withinPercentage(4));
    }

    /**
     * Two requests a second apart: 2 x (1,000 x 0.022 + 0.75 ms + 99 x 0.0766 ms) = 60.7 ms of work. 1,024 of them fit by
     * count, 409 by tokens, with 0.303 ms a step: X = 123.9 / 131.9.
     */
    @Test
    void speedIsByTheWorkAndWhatEnginesCanDo() throws IOException {
        Recording recording = Recording.read(file("0,1000,100,,\n1,1000,100,,\n"));

        double speed = recording.speedFor(0.8, 2, PROFILE);

        assertThat(speed).isCloseTo(0.8 * 2 * 0.9394 / 0.06066, within(0.05));
        assertThat(recording.speedFor(0.8, 4, PROFILE)).isCloseTo(2 * speed, within(1e-9));
    }

    @Test
    void requestsAtOneTimeHaveNoSpeed() {
        assertThatThrownBy(() -> Recording.read(file("0,1,1,,\n0,1,1,,\n")))
                .hasMessage("trace.csv: expected requests at two times at least, got 2");
    }

    /** Every request of a trace is completed, and the run ends with the last. */
    @Test
    void aReplayCompletesAll() throws IOException {
        Recording recording = Recording.read(file("0,1000,100,,\n1,2000,50,,\n4,100000,500,,\n"));
        var scene = new Scene(
                3,
                new EngineModel.Batch(PROFILE),
                2,
                new Workload.Replay(recording, 2),
                Scene.aged(100_000_000L),
                new Scene.Span(0, 10_000_000_000L, 60_000_000_000L),
                null,
                null,
                null,
                List.of());

        Tally tally = new Fleet(scene, Policy.PENSTOCK, 1).run();

        assertThat(tally.completed).isEqualTo(tally.arrived).isEqualTo(3);
        assertThat(tally.latency.size()).isEqualTo(3);
        assertThat(tally.ttft.seconds(1)).isBetween(9.0, 13.0);
        // The second: 12 ms to get in, a step of 55 ms, 49 steps of 8.127 ms.
        assertThat(tally.latency.seconds(0)).isCloseTo(0.465, within(0.001));
    }

    private Path file(String rows) throws IOException {
        return Files.writeString(
                folder.resolve("trace.csv"), "arrival,prompt_tokens,output_tokens,session,model\n" + rows);
    }
}
