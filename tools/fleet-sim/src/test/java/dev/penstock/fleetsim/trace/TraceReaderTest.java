package dev.penstock.fleetsim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
    @TempDir
    private Path folder;

    @Test
    void azureTimesCountFromTheFirst() throws IOException {
        List<TraceRequest> requests = read("""
            \uFEFFTIMESTAMP,ContextTokens,GeneratedTokens\r
            2023-11-16 18:15:46.6805900,374,44\r
            2023-11-16 18:15:50.9951690,396,109\r
            """);

        assertThat(requests)
                .containsExactly(
                        new TraceRequest(0, 374, 44, null, null, List.of()),
                        new TraceRequest(4_314_579_000L, 396, 109, null, null, List.of()));
    }

    @Test
    void mooncakeTellsMillisecondsAndPromptBlocks() throws IOException {
        List<TraceRequest> requests = read("""
            {"timestamp": 100, "input_length": 600, "output_length": 5, "hash_ids": [0, 14]}

            {"hash_ids": [0], "other": {"a": [1]}, "output_length": 1, "input_length": 2, "timestamp": 1100}
            """);

        assertThat(requests)
                .containsExactly(
                        new TraceRequest(0, 600, 5, null, null, List.of(0L, 14L)),
                        new TraceRequest(1_000_000_000L, 2, 1, null, null, List.of(0L)));
    }

    @Test
    void ownTellsSessionAndModelOrNeither() throws IOException {
        List<TraceRequest> requests = read("""
            arrival,prompt_tokens,output_tokens,session,model
            2,10,20,s-1,sim/model
            2.5,11,21,,\
            """);

        assertThat(requests)
                .containsExactly(
                        new TraceRequest(0, 10, 20, "s-1", "sim/model", List.of()),
                        new TraceRequest(500_000_000L, 11, 21, null, null, List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,x,1,, | prompt_tokens: expected a whole number from 1 to 10000000, got 'x'",
                "1,1,0,, | output_tokens: expected a whole number from 1 to 10000000, got '0'",
                "soon,1,1,, | arrival: expected seconds, 0 or more, got 'soon'",
                "0.5,1,1,, | arrival: expected a time not before the line before, got '0.5,1,1,,'",
                "1,1 | line: expected 5 fields (arrival,prompt_tokens,output_tokens,session,model), got '1,1'",
            })
    void aWrongLineIsNamed(String line, String problem) {
        assertThatThrownBy(() -> read("arrival,prompt_tokens,output_tokens,session,model\n1,1,1,,\n" + line))
                .isInstanceOf(TraceException.class)
                .hasMessage("trace, line 3: " + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"timestamp\": -1} | timestamp: expected milliseconds, 0 or more, got '-1'",
                "{\"timestamp\": 1, \"output_length\": 3} | input_length: expected a value, got ''",
                "{\"hash_ids\": [\"a\"]} | hash_ids: expected an array of whole numbers, got 'a'",
                "{\"timestamp\": | line: expected a JSON object, got '{\"timestamp\":'",
                "{\"input_length\": 1.5} | input_length: expected a whole number from 1 to 10000000, got '1.5'",
            })
    void aWrongObjectIsNamed(String line, String problem) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(TraceException.class).hasMessage("trace, line 1: " + problem);
    }

    @Test
    void aWrongAzureTimeIsNamed() {
        assertThatThrownBy(() -> read("TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,1"))
                .hasMessage("trace, line 2: TIMESTAMP: expected a time such as 2023-11-16 18:15:46.6805900,"
                        + " got 'yesterday'");
    }

    @Test
    void whatIsNoTraceIsRefused() {
        assertThatThrownBy(() -> read("")).hasMessage("trace: expected a trace, got an empty file");
        assertThatThrownBy(() -> read("a,b\n1,2"))
                .hasMessageStartingWith("trace, line 1: header: expected TIMESTAMP,")
                .hasMessageEndingWith("got 'a,b'");
        assertThatThrownBy(() -> read("x".repeat(1 << 21))).hasMessageContaining("at most 1048576 characters");
    }

    private List<TraceRequest> read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("trace"), text);
        List<TraceRequest> requests = new ArrayList<>();
        try (TraceReader reader = TraceReader.open(file)) {
            for (TraceRequest next = reader.next(); next != null; next = reader.next()) requests.add(next);
        }
        return requests;
    }
}
