package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.engine.ReceivedForm;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sound and images, in and out. */
class MediaApiTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private RunningFleet running;

    @BeforeEach
    void start() {
        running = RunningFleet.ofOne();
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void a_transcription_depends_on_the_file_and_tells_its_length() throws Exception {
        byte[] sound = new byte[100_000];
        Arrays.fill(sound, (byte) 7);
        byte[] form = new MultipartBody()
                .field("model", "sim/llama-3-8b")
                .field("temperature", "0.5")
                .file("file", "a.wav", sound)
                .bytes();
        byte[] other =
                new MultipartBody().file("file", "a.wav", new byte[100_000]).bytes();

        JsonNode first = running.json(running.postForm("/v1/audio/transcriptions", form, "t-1"));
        JsonNode again = running.json(running.postForm("/v1/audio/transcriptions", form, "t-2"));
        JsonNode silent = running.json(running.postForm("/v1/audio/transcriptions", other, "t-3"));

        assertThat(first.path("text").asText()).isNotEmpty();
        assertThat(first.path("usage").path("seconds").asInt()).isEqualTo(4);
        assertThat(again).isEqualTo(first);
        assertThat(silent.path("text")).isNotEqualTo(first.path("text"));
        assertThat(running.engine.state().requests().completed()).isEqualTo(3);
    }

    @Test
    void a_form_is_told_with_the_hashes_of_its_files_and_of_itself() throws Exception {
        byte[] sound = "sound \r\n--penstock-7e5 and more".getBytes(StandardCharsets.UTF_8);
        byte[] form = new MultipartBody()
                .field("model", "sim/llama-3-8b")
                .field("prompt", "größer")
                .file("file", "b.mp3", sound)
                .bytes();

        running.postForm("/v1/audio/translations", form, "form-1");
        ReceivedForm told = running.engine.receivedForm("form-1");
        JsonNode json = running.json(running.get("/sim/uploads/form-1"));

        assertThat(told).isNotNull();
        assertThat(told.sha256()).isEqualTo(sha256(form));
        assertThat(told.bytes()).isEqualTo(form.length);
        assertThat(told.fields()).containsEntry("model", "sim/llama-3-8b").containsEntry("prompt", "größer");
        assertThat(told.files())
                .isEqualTo(List.of(new ReceivedForm.File(
                        "file", "b.mp3", "application/octet-stream", sound.length, sha256(sound))));
        assertThat(json.path("files").path(0).path("sha256").asText()).isEqualTo(sha256(sound));
        assertThat(running.get("/sim/uploads/nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void an_upload_of_64_MiB_is_counted_and_hashed_as_it_comes() throws Exception {
        int bytes = 64 << 20;
        byte[] form = new MultipartBody().file("file", "big.wav", new byte[0]).bytes();
        int at = form.length - ("\r\n--" + MultipartBody.BOUNDARY + "--\r\n").length();
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] zeros = new byte[1 << 20];
        for (int i = 0; i < bytes / zeros.length; i++) {
            digest.update(zeros);
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(running.engine.endpoint() + "/v1/audio/transcriptions"))
                .header("content-type", MultipartBody.CONTENT_TYPE)
                .header("X-Request-Id", "big")
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new SequenceInputStream(Collections.enumeration(List.of(
                                new ByteArrayInputStream(form, 0, at),
                                zeros(bytes),
                                new ByteArrayInputStream(form, at, form.length - at))))))
                .build();

        HttpResponse<String> response = running.client.send(request, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        ReceivedForm told = running.engine.receivedForm("big");
        assertThat(told).isNotNull();
        assertThat(told.files().getFirst().bytes()).isEqualTo(bytes);
        assertThat(told.files().getFirst().sha256()).isEqualTo(HexFormat.of().formatHex(digest.digest()));
    }

    private static InputStream zeros(int bytes) {
        return new InputStream() {
            private int left = bytes;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (left <= 0) {
                    return -1;
                }
                int now = Math.min(left, length);
                Arrays.fill(into, offset, offset + now, (byte) 0);
                left -= now;
                return now;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/audio/transcriptions", "/v1/audio/translations", "/v1/images/edits"})
    void a_form_without_its_file_is_a_bad_request_and_so_is_no_form(String path) throws Exception {
        byte[] form = new MultipartBody().field("model", "sim/llama-3-8b").bytes();
        byte[] broken = "--penstock-7e57\r\nnonsense".getBytes(StandardCharsets.UTF_8);

        assertThat(running.postForm(path, form, "x").body())
                .contains("'missing'")
                .contains("\"type\":\"Bad Request\"");
        assertThat(running.post(path, "{}").statusCode()).isEqualTo(400);
        assertThat(running.postForm(path, broken, "y").statusCode()).isEqualTo(400);
        assertThat(running.engine.state().inflight()).isZero();
        assertThat(running.engine.state().requests().rejected()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"stream,perhaps", "max_completion_tokens,many"})
    void a_field_of_the_wrong_kind_is_a_bad_request(String field, String value) throws Exception {
        byte[] form = new MultipartBody()
                .field(field, value)
                .file("file", "a.wav", new byte[10])
                .bytes();

        assertThat(running.postForm("/v1/audio/transcriptions", form, "x").statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_client_that_goes_in_the_middle_of_a_form_is_a_cancellation() throws Exception {
        byte[] form = new MultipartBody().file("file", "a.wav", new byte[100]).bytes();
        try (Socket socket = new Socket("127.0.0.1", running.engine.port())) {
            String head = "POST /v1/audio/transcriptions HTTP/1.1\r\nhost: engine\r\ncontent-type: "
                    + MultipartBody.CONTENT_TYPE + "\r\ncontent-length: " + form.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(form, 0, 60);
            RunningFleet.awaitUntil(
                    "in flight", SOON, () -> running.engine.state().inflight() == 1);
        }

        RunningFleet.awaitUntil(
                "cancelled", SOON, () -> running.engine.state().requests().cancelled() == 1);
        assertThat(running.engine.state().inflight()).isZero();
        assertThat(running.engine.state().requests().rejected()).isZero();
    }

    @Test
    void a_transcription_may_be_bare_text() throws Exception {
        byte[] form = new MultipartBody()
                .field("response_format", "text")
                .file("file", "a.wav", new byte[10])
                .bytes();

        HttpResponse<String> response = running.postForm("/v1/audio/transcriptions", form, "x");

        assertThat(response.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(response.body()).doesNotStartWith("{").endsWith("\n");
    }

    @Test
    void speech_is_a_chunk_of_bytes_a_token() throws Exception {
        String body = "{\"input\":\"hello\",\"voice\":\"a\",\"max_new_tokens\":3,\"response_format\":\"wav\"}";

        HttpResponse<byte[]> speech = running.client.send(
                running.posting("/v1/audio/speech", body, "X-Request-Id", "s"), BodyHandlers.ofByteArray());
        String raw;
        try (RawStream stream = new RawStream(running.engine, "/v1/audio/speech", body, "connection: close")) {
            raw = stream.readToEnd();
        }

        assertThat(speech.headers().firstValue("content-type")).contains("audio/wav");
        assertThat(speech.body()).hasSize(3 * 640);
        assertThat(running.engine.sentBody("s"))
                .isNotNull()
                .extracting("sha256")
                .isEqualTo(sha256(speech.body()));
        assertThat(raw)
                .contains("transfer-encoding: chunked")
                .contains("\r\n280\r\n")
                .endsWith("\r\n0\r\n\r\n");
    }

    @Test
    void images_are_made_and_edited() throws Exception {
        String body = "{\"prompt\":\"a mill\",\"n\":2,\"num_inference_steps\":2}";
        byte[] form = new MultipartBody()
                .field("prompt", "a mill")
                .field("num_inference_steps", "2")
                .file("image", "a.png", new byte[300])
                .bytes();

        JsonNode made = running.json(running.post("/v1/images/generations", body));
        JsonNode edited = running.json(running.postForm("/v1/images/edits", form, "e"));

        assertThat(made.path("data")).hasSize(2);
        assertThat(Base64.getDecoder()
                        .decode(made.path("data").path(0).path("b64_json").asText()))
                .hasSize(12_288);
        assertThat(made.path("data").path(0)).isNotEqualTo(made.path("data").path(1));
        assertThat(edited.path("data")).hasSize(1);
        assertThat(running.post("/v1/images/generations", "{\"n\":2}").statusCode())
                .isEqualTo(400);
    }
}
