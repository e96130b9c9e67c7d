package dev.penstock.router.endings;

import static dev.penstock.router.endings.Cause.*;
import static dev.penstock.router.endings.Contract.*;
import static dev.penstock.router.endings.Phase.*;
import static dev.penstock.router.endings.Row.Line.CLOSED;
import static dev.penstock.router.endings.Row.Line.REUSED;
import static dev.penstock.router.endings.Row.row;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The table: which endings there are in which phase, and what follows. */
final class Rows {
    static final String ROLE = "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}";
    static final String CONTENT = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";
    static final String FINISH = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}";
    static final String DONE = "[DONE]";
    private static final String ABORT = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"abort\"}]}";
    private static final String FULL =
            "{\"error\":{\"message\":\"queue full\",\"type\":\"x\",\"param\":null,\"code\":503}}";

    static final Plan OPENING = Plan.stream().event(ROLE);
    static final Plan BEGUN = OPENING.event(CONTENT);
    /** In one chunk, since an opening event is held for no more than the read that it came with. */
    private static final Plan REFUSED = Plan.stream().events(ROLE, ABORT);

    static final Plan SAID = BEGUN.event(FINISH).event(DONE);
    static final Plan GOOD = SAID.end();
    private static final Plan JSON_BEGUN = Plan.start()
            .send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\":\"a\",");
    private static final Sight OWN_502 = new Sight.Own(502);
    private static final Sight OWN_503 = new Sight.Own(503);
    private static final Sight OWN_504 = new Sight.Own(504);
    private static final Sight GOOD_ANSWER = new Sight.Whole(200);
    private static final Sight TOLD = new Sight.ErrorEvent();

    private final List<Row> rows = new ArrayList<>();

    static List<Row> all() {
        Rows table = new Rows();
        table.uploading();
        table.connecting();
        table.toEngine();
        table.forms();
        table.sent();
        table.refusals();
        table.head();
        table.opening();
        table.stream();
        table.json();
        table.lastEvent();
        table.errorBody();
        table.after();
        table.early();
        table.speech();
        return table.rows;
    }

    private void uploading() {
        add(row(BODY_UPLOADING, CLIENT_FIN, "")
                .asking(Asking.HALF)
                .at(engines(GOOD))
                .acts(Rows::closes));
        add(row(BODY_UPLOADING, CLIENT_RST, "")
                .asking(Asking.HALF)
                .at(engines(GOOD))
                .acts(Rows::resets));
    }

    private void connecting() {
        add(row(CONNECTING, CONNECT_REFUSED, "one replica")
                .at(stage -> stage.refusing(1))
                .sees(OWN_503)
                .books("failed", "connect_failure"));
        add(row(CONNECTING, CONNECT_REFUSED, "two replicas")
                .at(stage -> stage.refusing(2))
                .sees(OWN_503)
                .books("failed", "connect_failure", "connect_failure"));
        add(row(CONNECTING, CONNECT_TIMEOUT, "")
                .at(Stage::blackHole)
                .sees(OWN_503)
                .books("failed", "connect_failure"));
        add(row(CONNECTING, CLIENT_FIN, "")
                .at(Stage::blackHole)
                .acts(Rows::closes)
                .books("cancelled", "connect_failure"));
        add(row(CONNECTING, CLIENT_RST, "")
                .at(Stage::blackHole)
                .acts(Rows::resets)
                .books("cancelled", "connect_failure"));
        add(row(CONNECTING, DEADLINE_OF_CLIENT, "")
                .at(Stage::blackHole)
                .asking(Asking.HURRIED)
                .sees(OWN_504)
                .books("expired", "connect_failure"));
        add(row(CONNECTING, DEADLINE_OF_MODEL, "")
                .at(Stage::blackHole)
                .under(DEADLINE)
                .sees(OWN_504)
                .books("expired", "connect_failure"));
        add(row(CONNECTING, CONNECT_TIMEOUT, "committed early")
                .at(Stage::blackHole)
                .under(EARLY)
                .sees(TOLD)
                .books("failed", "connect_failure"));
    }

    /** The engine reads no more than the head of a body that fills all buffers. */
    private void toEngine() {
        Row large = row(BODY_TO_ENGINE, CLIENT_FIN, "")
                .asking(Asking.LARGE)
                .at(stage -> stage.stubborn(StubbornEngine.saying("")))
                .leaves(CLOSED);
        add(large.acts(Rows::closesAtEngine).books("cancelled", "client_abort"));
        add(like(large, CLIENT_RST, "").acts(Rows::resetsAtEngine).books("cancelled", "client_abort"));
        add(like(large, DEADLINE_OF_CLIENT, "")
                .asking(Asking.HURRIED_LARGE)
                .sees(OWN_504)
                .books("expired", "deadline"));
        add(like(large, SILENT_IDLE, "").under(IDLE).sees(OWN_504).books("failed", "stalled"));
        add(like(large, ENGINE_RST, "")
                .at(stage -> stage.stubborn(StubbornEngine.resetting()))
                .sees(OWN_502)
                .books("failed", "replica_error"));
        for (int status : List.of(400, 503)) {
            add(like(large, ENGINE_STATUS, status + " before the body was read")
                    .at(stage -> stage.stubborn(StubbornEngine.saying(words(status))))
                    .sees(new Sight.Whole(status))
                    .books(status == 400 ? "failed" : "shed", status == 400 ? "client_error" : "backpressure"));
        }
    }

    /** A form goes to its engine while its client still sends it. */
    private void forms() {
        Row form = row(BODY_UPLOADING, CLIENT_FIN, "a form that an engine has begun to get")
                .asking(Asking.FORM_HALF)
                .at(stage -> stage.stubborn(StubbornEngine.saying("")))
                .leaves(CLOSED);
        add(form.acts(Rows::closesAtEngine).books("cancelled", "client_abort"));
        add(like(form, CLIENT_RST, form.with()).acts(Rows::resetsAtEngine).books("cancelled", "client_abort"));
        add(like(form, DEADLINE_OF_MODEL, form.with())
                .under(DEADLINE)
                .sees(new Sight.Early(504))
                .books("expired", "deadline"));
        add(like(form, ENGINE_RST, form.with())
                .at(stage -> stage.stubborn(StubbornEngine.resetting()))
                .sees(new Sight.Early(502))
                .books("failed", "replica_error"));
        for (int status : List.of(400, 503)) {
            add(like(form, ENGINE_STATUS, status + ", " + form.with())
                    .at(stage -> stage.stubborn(StubbornEngine.saying(words(status))))
                    .sees(new Sight.Early(status))
                    .books(status == 400 ? "failed" : "shed", status == 400 ? "client_error" : "backpressure"));
        }
        add(like(form, CONNECT_REFUSED, "a form")
                .at(stage -> stage.refusing(1))
                .sees(new Sight.Early(503))
                .books("failed", "connect_failure")
                .leaves(Row.Line.ANY));
    }

    private void sent() {
        clientLeaves(REQUEST_SENT, Plan.start(), Rows::closesAtEngine, Rows::resetsAtEngine);
        Row sent = row(REQUEST_SENT, CLIENT_FIN, "at an engine that goes on");
        add(sent.at(stage -> stage.stubborn(StubbornEngine.saying("")))
                .acts(Rows::closesAtEngine)
                .books("cancelled", "client_abort")
                .leaves(CLOSED));
        add(like(sent, ENGINE_RST, "")
                .at(engines(Plan.start().waits(50).reset()))
                .sees(OWN_502)
                .books("failed", "replica_error"));
        add(like(sent, ENGINE_FIN, "")
                .at(engines(Plan.start().waits(50).fin()))
                .sees(OWN_502)
                .books("failed", "replica_error"));
        silent(REQUEST_SENT, SILENT_FIRST_BYTE, FIRST_BYTE, Plan.start(), OWN_504);
        deadlines(REQUEST_SENT, Plan.start(), OWN_504);
        add(like(sent, EJECTED_AND_SILENT, "")
                .at(engines(Plan.start().hold()))
                .acts(Rows::ejected)
                .sight(OWN_504)
                .books("failed", "stalled")
                .leaves(CLOSED));
    }

    private void refusals() {
        status(400, "failed", "client_error");
        status(500, "failed", "replica_error");
        status(429, "shed", "backpressure");
        status(503, "shed", "backpressure");
        for (int status : List.of(429, 503)) {
            add(row(REQUEST_SENT, ENGINE_STATUS, status + ", another replica is free")
                    .at(engines(error(status), GOOD))
                    .sees(GOOD_ANSWER)
                    .books("completed", "backpressure", "ok"));
            add(row(REQUEST_SENT, ENGINE_STATUS, status + " everywhere")
                    .at(engines(error(status), error(status), error(status)))
                    .sees(new Sight.Whole(status))
                    .books("shed", "backpressure", "backpressure"));
        }
        add(row(REQUEST_SENT, ENGINE_STATUS, "500, another replica is free")
                .at(engines(error(500), GOOD))
                .sees(new Sight.Whole(500))
                .books("failed", "replica_error"));
        refusal("full, whole", Plan.stream().event(FULL).event(DONE).end());
        refusal("full, then silence", Plan.stream().event(FULL).hold());
        refusal("abort, whole", REFUSED.event(DONE).end());
        refusal("abort, then silence", REFUSED.hold());
    }

    private void refusal(String with, Plan plan) {
        Row refused = row(REQUEST_SENT, REFUSAL_IN_200, with);
        add(refused.at(engines(plan)).sees(OWN_503).books("shed", "backpressure"));
        add(like(refused, REFUSAL_IN_200, with + ", another replica is free")
                .at(engines(plan, GOOD))
                .sees(GOOD_ANSWER)
                .books("completed", "backpressure", "ok"));
    }

    private void status(int status, String demand, String outcome) {
        add(row(REQUEST_SENT, ENGINE_STATUS, String.valueOf(status))
                .at(engines(error(status)))
                .sees(new Sight.Whole(status))
                .books(demand, outcome)
                .leaves(REUSED));
    }

    private void head() {
        clientLeaves(HEAD_RECEIVED, Plan.stream(), Rows::closesSoonAfter, Rows::resetsSoonAfter);
        Row head = row(HEAD_RECEIVED, ENGINE_RST, "");
        add(head.at(engines(Plan.stream().waits(50).reset())).sees(OWN_502).books("failed", "replica_error"));
        add(like(head, ENGINE_FIN, "")
                .at(engines(Plan.stream().waits(50).fin()))
                .sees(OWN_502)
                .books("failed", "replica_error"));
        add(like(head, ENGINE_RST, "neither events nor JSON")
                .at(engines(Plan.start()
                        .send("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: 1000\r\n\r\n")
                        .waits(50)
                        .reset()))
                .sees(OWN_502)
                .books("failed", "replica_error"));
        add(like(head, NORMAL_END, "no event at all")
                .at(engines(Plan.stream().waits(50).end()))
                .sees(GOOD_ANSWER)
                .books("failed", "incomplete_stream"));
        silent(HEAD_RECEIVED, SILENT_FIRST_BYTE, FIRST_BYTE, Plan.stream(), OWN_504);
        deadlines(HEAD_RECEIVED, Plan.stream(), OWN_504);
    }

    /** What says nothing yet is held for 100 ms. */
    private void opening() {
        clientLeaves(OPENING_EVENTS, OPENING, Rows::closesAtEngine, Rows::resetsAtEngine);
        Row opening = row(OPENING_EVENTS, ENGINE_RST, "");
        add(opening.at(engines(OPENING.reset())).sees(new Sight.OwnOrEvent(502)).books("failed", "replica_error"));
        add(like(opening, ENGINE_FIN, "")
                .at(engines(OPENING.fin()))
                .sees(new Sight.OwnOrEvent(502))
                .books("failed", "replica_error"));
        add(like(opening, NORMAL_END, "nothing follows")
                .at(engines(OPENING.waits(20).end()))
                .sees(GOOD_ANSWER)
                .books("failed", "incomplete_stream"));
        silent(OPENING_EVENTS, SILENT_IDLE, IDLE, OPENING, TOLD);
        deadlines(OPENING_EVENTS, OPENING, TOLD);
    }

    private void stream() {
        clientLeaves(MID_STREAM, BEGUN, Rows::closesInStream, Rows::resetsInStream);
        Row begun = row(MID_STREAM, CLIENT_RST, "at an engine that goes on");
        add(begun.at(stage -> stage.stubborn(StubbornEngine.saying(words(CONTENT))))
                .acts(Rows::resetsInStream)
                .books("cancelled", "client_abort")
                .leaves(CLOSED));
        add(like(begun, ENGINE_RST, "")
                .at(engines(BEGUN.waits(50).reset()))
                .sees(TOLD)
                .books("failed", "replica_error"));
        add(like(begun, ENGINE_FIN, "")
                .at(engines(BEGUN.waits(50).fin()))
                .sees(TOLD)
                .books("failed", "replica_error"));
        add(like(begun, NORMAL_END, "without a finish")
                .at(engines(BEGUN.end()))
                .sees(GOOD_ANSWER)
                .books("failed", "incomplete_stream")
                .leaves(REUSED));
        silent(MID_STREAM, SILENT_IDLE, IDLE, BEGUN, TOLD);
        deadlines(MID_STREAM, BEGUN, TOLD);
        add(like(begun, EJECTED_AND_SILENT, "")
                .at(engines(BEGUN.hold()))
                .acts(Rows::ejected)
                .sight(TOLD)
                .books("failed", "stalled")
                .leaves(CLOSED));
    }

    private void json() {
        Row json = row(MID_STREAM, ENGINE_RST, "JSON").asking(Asking.PLAIN);
        add(json.at(engines(JSON_BEGUN.waits(50).reset()))
                .sees(new Sight.CutOff(200))
                .books("failed", "replica_error"));
        add(like(json, ENGINE_FIN, "JSON")
                .at(engines(JSON_BEGUN.waits(50).fin()))
                .sees(new Sight.CutOff(200))
                .books("failed", "replica_error"));
        add(like(json, SILENT_IDLE, "JSON")
                .under(IDLE)
                .at(engines(JSON_BEGUN.hold()))
                .sees(new Sight.CutOff(200))
                .books("failed", "stalled")
                .leaves(CLOSED));
        add(like(json, CLIENT_RST, "JSON")
                .at(engines(JSON_BEGUN.hold()))
                .acts(Rows::resetsSoonAfter)
                .books("cancelled", "client_abort")
                .leaves(CLOSED));
    }

    /** What is neither events nor JSON, and events of which nobody says what the last one is. */
    private void speech() {
        Row sound = row(MID_STREAM, SILENT_IDLE, "sound")
                .asking(Asking.SPEECH)
                .under(IDLE)
                .at(engines(Plan.start()
                        .send("HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .chunk("RIFF")
                        .hold()))
                .books("failed", "stalled")
                .leaves(CLOSED);
        add(sound.sees(new Sight.CutOff(200)));
        add(like(sound, SILENT_IDLE, "sound in events")
                .at(engines(
                        Plan.stream().event("{\"type\":\"speech.audio.delta\"}").hold()))
                .sees(TOLD));
    }

    private void lastEvent() {
        clientLeaves(LAST_EVENT, SAID, Rows::closesAfterDone, Rows::resetsAfterDone);
        Row said = row(LAST_EVENT, ENGINE_RST, "");
        add(said.at(engines(SAID.waits(50).reset())).sees(GOOD_ANSWER).books("completed", "ok"));
        add(like(said, ENGINE_FIN, "")
                .at(engines(SAID.waits(50).fin()))
                .sees(GOOD_ANSWER)
                .books("completed", "ok"));
        add(like(said, SILENT_IDLE, "")
                .under(IDLE)
                .at(engines(SAID.hold()))
                .sees(GOOD_ANSWER)
                .books("completed", "ok")
                .leaves(CLOSED));
        add(like(said, DEADLINE_OF_CLIENT, "")
                .asking(Asking.HURRIED)
                .at(engines(SAID.hold()))
                .sees(GOOD_ANSWER)
                .books("completed", "ok")
                .leaves(CLOSED));
    }

    private void errorBody() {
        Plan begun = errorBegun(500, 100, "{\"error\":");
        clientLeaves(ERROR_BODY, begun, Rows::closesSoonAfter, Rows::resetsSoonAfter);
        Row error = row(ERROR_BODY, ENGINE_RST, "500");
        add(error.at(engines(begun.waits(50).reset()))
                .sees(new Sight.Whole(500))
                .books("failed", "replica_error"));
        add(like(error, ENGINE_FIN, "400")
                .at(engines(errorBegun(400, 100, "{\"error\":").waits(50).fin()))
                .sees(new Sight.Whole(400))
                .books("failed", "client_error"));
        add(like(error, ENGINE_RST, "503, another replica is free")
                .at(engines(errorBegun(503, 100, "{").waits(50).reset(), GOOD))
                .sees(GOOD_ANSWER)
                .books("completed", "backpressure", "ok"));
        add(like(error, ENGINE_RST, "longer than an error is")
                .at(engines(
                        errorBegun(500, 200_000, "x".repeat(100_000)).waits(50).reset()))
                .sees(new Sight.CutOff(500))
                .books("failed", "replica_error"));
        silent(ERROR_BODY, SILENT_IDLE, IDLE, begun, OWN_504);
        deadlines(ERROR_BODY, begun, OWN_504);
    }

    private void after() {
        Row after = row(AFTER_THE_END, NORMAL_END, "stream").at(engines(GOOD));
        add(after.sees(GOOD_ANSWER).books("completed", "ok").leaves(REUSED));
        add(like(after, NORMAL_END, "JSON")
                .asking(Asking.PLAIN)
                .at(engines(Plan.json(200, "{}")))
                .sees(GOOD_ANSWER)
                .books("completed", "ok")
                .leaves(REUSED));
        add(like(after, CLIENT_FIN, "")
                .acts((client, stage) -> {
                    Received received = client.awaitAnswers(1, Row.SOON);
                    client.close();
                    return received;
                })
                .books("completed", "ok"));
        add(like(after, CLIENT_RST, "")
                .acts((client, stage) -> {
                    Received received = client.awaitAnswers(1, Row.SOON);
                    client.reset();
                    return received;
                })
                .books("completed", "ok"));
        add(like(after, ENGINE_FIN, "")
                .at(engines(GOOD.fin()))
                .sees(GOOD_ANSWER)
                .books("completed", "ok")
                .leaves(CLOSED));
        add(like(after, ENGINE_RST, "")
                .at(engines(GOOD.waits(20).reset()))
                .sees(GOOD_ANSWER)
                .books("completed", "ok")
                .leaves(CLOSED));
    }

    /** The answer was begun by the router while its engine was silent. */
    private void early() {
        Plan late = Plan.start().waits(500);
        Row early = row(REQUEST_SENT, NORMAL_END, "committed early").under(EARLY);
        add(early.at(engines(late.then(GOOD))).sees(GOOD_ANSWER).books("completed", "ok"));
        add(like(early, ENGINE_STATUS, "500, committed early")
                .at(engines(late.then(error(500))))
                .sees(TOLD)
                .books("failed", "replica_error"));
        add(like(early, ENGINE_STATUS, "503, committed early, another replica is free")
                .at(engines(late.then(error(503)), GOOD))
                .sees(TOLD)
                .books("shed", "backpressure"));
        add(like(early, ENGINE_RST, "committed early")
                .at(engines(late.reset()))
                .sees(TOLD)
                .books("failed", "replica_error"));
        add(like(early, NORMAL_END, "committed early, but JSON comes")
                .at(engines(late.then(Plan.json(200, "{\"id\":\"a\"}"))))
                .sees(TOLD)
                .books("failed", "client_error"));
        add(like(early, CLIENT_RST, "committed early")
                .at(engines(Plan.start().hold()))
                .acts((client, stage) -> {
                    Received received = client.awaitText(": keep-alive", Row.SOON);
                    client.reset();
                    return received;
                })
                .books("cancelled", "client_abort")
                .leaves(CLOSED));
    }

    private void clientLeaves(Phase phase, Plan begun, Row.Client closes, Row.Client resets) {
        Row leaves = row(phase, CLIENT_FIN, "")
                .at(engines(begun.hold()))
                .books("cancelled", "client_abort")
                .leaves(CLOSED);
        add(leaves.acts(closes));
        add(like(leaves, CLIENT_RST, "").acts(resets));
    }

    private void silent(Phase phase, Cause cause, Contract contract, Plan begun, Sight sight) {
        add(row(phase, cause, "")
                .under(contract)
                .at(engines(begun.hold()))
                .sees(sight)
                .books("failed", "stalled")
                .leaves(CLOSED));
    }

    private void deadlines(Phase phase, Plan begun, Sight sight) {
        Row late = row(phase, DEADLINE_OF_CLIENT, "")
                .at(engines(begun.hold()))
                .sees(sight)
                .books("expired", "deadline")
                .leaves(CLOSED);
        add(late.asking(Asking.HURRIED));
        add(like(late, DEADLINE_OF_MODEL, "").under(DEADLINE));
    }

    private void add(Row row) {
        rows.add(row);
    }

    private static Row like(Row row, Cause cause, String with) {
        return new Row(
                row.phase(),
                cause,
                with,
                row.contract(),
                row.asking(),
                row.staging(),
                row.client(),
                row.sight(),
                row.outcomes(),
                row.demand(),
                row.engine());
    }

    private static Row.Staging engines(Plan... plans) {
        return stage -> stage.scripted(plans);
    }

    private static Plan error(int status) {
        return Plan.json(
                status, "{\"error\":{\"message\":\"m\",\"type\":\"t\",\"param\":null,\"code\":" + status + "}}");
    }

    private static Plan errorBegun(int status, int length, String part) {
        return Plan.start()
                .send("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: " + length
                        + "\r\n\r\n" + part);
    }

    /** A whole error. */
    private static String words(int status) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    }

    /** The head of a stream and one event of it. */
    static String words(String event) {
        String chunk = "data: " + event + "\n\n";
        return Plan.STREAM_HEAD + Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n";
    }

    private static Received closes(RawClient client, Stage stage) throws Exception {
        client.waits(Duration.ofMillis(50)).close();
        return client.received();
    }

    private static Received resets(RawClient client, Stage stage) throws Exception {
        client.waits(Duration.ofMillis(50)).reset();
        return client.received();
    }

    private static Received closesAtEngine(RawClient client, Stage stage) throws Exception {
        stage.awaitAtEngine();
        client.close();
        return client.received();
    }

    private static Received resetsAtEngine(RawClient client, Stage stage) throws Exception {
        stage.awaitAtEngine();
        client.reset();
        return client.received();
    }

    private static Received closesSoonAfter(RawClient client, Stage stage) throws Exception {
        stage.awaitAtEngine();
        return closes(client, stage);
    }

    private static Received resetsSoonAfter(RawClient client, Stage stage) throws Exception {
        stage.awaitAtEngine();
        return resets(client, stage);
    }

    private static Received closesInStream(RawClient client, Stage stage) throws Exception {
        client.awaitText(CONTENT, Row.SOON);
        client.close();
        return client.received();
    }

    private static Received resetsInStream(RawClient client, Stage stage) throws Exception {
        client.awaitText(CONTENT, Row.SOON);
        client.reset();
        return client.received();
    }

    private static Received closesAfterDone(RawClient client, Stage stage) throws Exception {
        client.awaitText(DONE, Row.SOON);
        client.close();
        return client.received();
    }

    private static Received resetsAfterDone(RawClient client, Stage stage) throws Exception {
        client.awaitText(DONE, Row.SOON);
        client.reset();
        return client.received();
    }

    private static Received ejected(RawClient client, Stage stage) throws Exception {
        stage.awaitAtEngine();
        stage.eject();
        return client.await(
                "the end",
                Row.SOON,
                received -> received.ending() != Ending.OPEN
                        || received.responses().stream().anyMatch(answer -> answer.complete()));
    }
}
