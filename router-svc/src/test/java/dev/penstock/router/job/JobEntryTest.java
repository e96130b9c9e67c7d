package dev.penstock.router.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobEntryTest {
    @Test
    void what_the_engine_said_is_kept_but_for_how_it_goes() {
        assertThat(of("{\"id\":\"video_1\",\"object\":\"video\",\"status\":\"queued\",\"seconds\":\"4\"}"))
                .isEqualTo(new JobEntry(
                        "video_1",
                        "{\"id\":\"video_1\",\"object\":\"video\",\"status\":\"unknown\",\"seconds\":\"4\"}"));
    }

    @Test
    void of_a_long_one_the_least_is_kept() {
        String prompt = "x".repeat(3_000);

        assertThat(of("{\"id\":\"video_1\",\"prompt\":\"" + prompt + "\",\"created_at\":5,\"model\":\"m\"}"))
                .isEqualTo(new JobEntry("video_1", "{\"id\":\"video_1\",\"created_at\":5,\"model\":\"m\"}"));
    }

    @Test
    void no_entry_is_longer_than_two_kibibytes() {
        String model = "ü".repeat(1_000);
        JobEntry entry =
                of("{\"id\":\"video_1\",\"model\":\"" + model + "\",\"object\":\"" + "o".repeat(1_000) + "\"}");

        assertThat(entry).isNotNull();
        if (entry != null) assertThat(entry.json().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(2_048);
    }

    @Test
    void what_is_no_job_is_not_kept() {
        for (String answer : new String[] {"", "{", "[]", "1", "{}", "{\"id\":1}", "{\"id\":\"resp_1\"}"}) {
            assertThat(of(answer)).as(answer).isNull();
        }
    }

    private static @org.jspecify.annotations.Nullable JobEntry of(String answer) {
        return JobEntry.of(answer.getBytes(UTF_8));
    }
}
