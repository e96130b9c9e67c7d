package dev.penstock.router.cases;

import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** The ways in which a request ends: what its replica does, and what its client does. */
enum Ending {
    JSON(Plan.json(200, "{}")),
    STREAM(Plan.stream().event(Ending.CONTENT).event("[DONE]").end()),
    ABORT_BEFORE_ANSWER(Plan.start().hold()) {
        @Override
        void client(RawClient client, Fleet fleet, Duration jitter) throws Exception {
            client.send(request(fleet)).waits(jitter).close();
        }
    },
    ABORT_IN_STREAM(Plan.stream().event(Ending.CONTENT).hold()) {
        @Override
        void client(RawClient client, Fleet fleet, Duration jitter) throws Exception {
            client.send(request(fleet)).awaitText(Ending.CONTENT, PATIENCE);
            client.waits(jitter).reset();
        }
    },
    ABORT_IN_UPLOAD(Plan.json(200, "{}")) {
        @Override
        void client(RawClient client, Fleet fleet, Duration jitter) throws Exception {
            byte[] request = request(fleet);
            client.send(Arrays.copyOf(request, request.length - 5))
                    .waits(jitter)
                    .close();
        }
    },
    RESET_BEFORE_ANSWER(Plan.start().reset()),
    RESET_IN_STREAM(Plan.stream().event(Ending.CONTENT).waits(5).reset()),
    RESET_WITH_END(Plan.stream().event(Ending.CONTENT).event("[DONE]").end().reset()),
    SILENCE(Plan.start().hold()),
    STALL(Plan.stream().event(Ending.CONTENT).hold()),
    STATUS_500(Plan.json(500, "{}")),
    STATUS_503(Plan.json(503, "{}")),
    BUSY_IN_200(Plan.stream()
            .event("{\"error\":{\"message\":\"full\",\"type\":\"x\",\"param\":null,\"code\":503}}")
            .end()),
    UNKNOWN_MODEL(Plan.json(200, "{}")) {
        @Override
        byte[] request(Fleet fleet) {
            return Requests.chat(Requests.body("nobody/has"));
        }
    };

    static final String HEADER = "X-Ending";

    private static final String CONTENT = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Plan plan;

    Ending(Plan plan) {
        this.plan = plan;
    }

    Plan plan() {
        return plan;
    }

    byte[] request(Fleet fleet) {
        return Requests.post(
                Requests.CHAT, Requests.body(fleet.model()).getBytes(StandardCharsets.UTF_8), HEADER + ": " + name());
    }

    /** What a client does that has connected. */
    void client(RawClient client, Fleet fleet, Duration jitter) throws Exception {
        client.waits(jitter).send(request(fleet)).awaitAnswers(1, PATIENCE);
    }
}
