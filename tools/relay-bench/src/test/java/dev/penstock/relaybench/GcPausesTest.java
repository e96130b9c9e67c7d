package dev.penstock.relaybench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcPausesTest {
    @TempDir
    Path folder;

    @Test
    void pauses_of_both_collectors_are_found_and_full_collections_left_out() throws Exception {
        Path log = Files.writeString(folder.resolve("gc.log"), """
            [0.5s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
            [0.5s][info][gc,phases   ] GC(0)   Evacuate Collection Set: 1.2ms
            [0.5s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->3M(614M) 2.412ms
            [0.9s][info][gc          ] GC(1) Pause Full (System.gc()) 13M->9M(614M) 31.200ms
            [1.1s][info][gc,phases   ] GC(2) Y: Pause Mark Start 0.008ms
            """);

        assertThat(GcPauses.in(log)).isEqualTo(new GcPauses(2, 2.412, 2.412));
    }
}
