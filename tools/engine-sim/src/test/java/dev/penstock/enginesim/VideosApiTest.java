package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.engine.VideoJob;
import dev.penstock.enginesim.fault.Fault;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code /v1/videos}: jobs that only the engine they were given to knows. */
class VideosApiTest {
    private static final String VIDEOS = "/v1/videos";
    private static final String BODY = "{\"prompt\":\"a mill\",\"seconds\":\"2\",\"size\":\"640x360\"}";
    private static final Duration SOON = Duration.ofSeconds(5);

    private RunningFleet running;

    @AfterEach
    void stop() {
        running.close();
    }

    private void start(EngineKind kind, long millis) {
        running = new RunningFleet(
                EngineFleetOptions.defaults().withCount(2).withKind(kind).withVideoMillis(millis));
    }

    @ParameterizedTest
    @EnumSource(
            value = EngineKind.class,
            names = {"VLLM", "SGLANG"})
    void a_video_is_queued_then_made_then_fetched_then_deleted(EngineKind kind) throws Exception {
        start(kind, 100);

        JsonNode job = running.json(running.post(VIDEOS, BODY, "X-Request-Id", "v"));
        String path = VIDEOS + "/" + job.path("id").asText();

        assertThat(job.path("object").asText()).isEqualTo("video");
        assertThat(job.path("status").asText()).isEqualTo("queued");
        assertThat(job.path("seconds").asText()).isEqualTo("2");
        assertThat(job.path("size").asText()).isEqualTo("640x360");
        RunningFleet.awaitUntil("completed", SOON, () -> status(path).equals("completed"));
        HttpResponse<byte[]> content = running.client.send(
                HttpRequest.newBuilder(URI.create(running.engine.endpoint() + path + "/content"))
                        .header("X-Request-Id", "c")
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(content.headers().firstValue("content-type")).contains("video/mp4");
        assertThat(content.body()).hasSize(2 * 16_384);
        assertThat(running.engine.sentBody("c")).isNotNull().extracting("bytes").isEqualTo(2L * 16_384);
        assertThat(running.json(running.get(VIDEOS)).path("data")).hasSize(1);
        assertThat(running.call("DELETE", path).statusCode()).isEqualTo(200);
        assertThat(running.get(path).statusCode()).isEqualTo(404);
        assertThat(running.engine.state().requests().received()).isEqualTo(1);
    }

    @Test
    void the_content_of_a_running_job_and_the_jobs_of_another_engine_are_not_found() throws Exception {
        start(EngineKind.VLLM, 600_000);

        String path = VIDEOS + "/"
                + running.json(running.post(VIDEOS, BODY)).path("id").asText();
        HttpResponse<String> elsewhere = running.client.send(
                HttpRequest.newBuilder(URI.create(running.fleet.engines().get(1).endpoint() + path))
                        .build(),
                BodyHandlers.ofString());

        assertThat(running.get(path + "/content").statusCode()).isEqualTo(404);
        assertThat(running.get(path).statusCode()).isEqualTo(200);
        assertThat(elsewhere.statusCode()).isEqualTo(404);
        running.fault(new Fault.Kill());
        running.clearFault();
        assertThat(running.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void a_form_makes_a_job_and_a_body_without_a_prompt_does_not() throws Exception {
        start(EngineKind.SGLANG, 600_000);
        byte[] form = new MultipartBody()
                .field("prompt", "a mill")
                .file("input_reference", "a.png", new byte[5000])
                .bytes();

        assertThat(running.postForm(VIDEOS, form, "f").statusCode()).isEqualTo(200);
        assertThat(running.engine.receivedForm("f")).isNotNull();
        assertThat(running.post(VIDEOS, "{}").statusCode()).isEqualTo(400);
        assertThat(running.post(VIDEOS, "{\"prompt\":\"a\",\"seconds\":\"soon\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(running.post(VIDEOS, "{\"prompt\":\"a\",\"model\":\"x\"}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void how_far_a_job_is_follows_from_the_time_alone() {
        start(EngineKind.VLLM, 1);
        VideoJob job = new VideoJob("v", "m", "p", "4", "s", 7, -50, 1000);

        assertThat(job.status(-50)).isEqualTo(VideoJob.Status.QUEUED);
        assertThat(job.status(49)).isEqualTo(VideoJob.Status.QUEUED);
        assertThat(job.status(50)).isEqualTo(VideoJob.Status.IN_PROGRESS);
        assertThat(job.progress(450)).isEqualTo(50);
        assertThat(job.status(949)).isEqualTo(VideoJob.Status.IN_PROGRESS);
        assertThat(job.status(950)).isEqualTo(VideoJob.Status.COMPLETED);
        assertThat(job.progress(Long.MAX_VALUE - 100)).isEqualTo(100);
    }

    private String status(String path) {
        try {
            return running.json(running.get(path)).path("status").asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
