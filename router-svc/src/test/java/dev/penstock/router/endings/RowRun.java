package dev.penstock.router.endings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.router.cases.Fleet;
import dev.penstock.router.cases.Requests;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Plays one row and looks at the books behind it. */
final class RowRun {
    /** The contract is 1 s, or the 0.5 s that an engine is given to notice; rows run many at once, on few cores. */
    private static final Duration SETTLED = Duration.ofSeconds(2);
    /** Demand is told each second. */
    private static final Duration TOLD = Duration.ofSeconds(6);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RouterScene scene;
    private final Books books;
    private final Row row;
    private final String model;

    RowRun(RouterScene scene, Books books, Row row, String model) {
        this.scene = scene;
        this.books = books;
        this.row = row;
        this.model = model;
    }

    /** The books as they stood when it was over: nothing may be added to them later. */
    record Closed(String model, List<Integer> numbers, Map<String, Long> outcomes, Map<String, Long> demand) {}

    Closed play() throws Exception {
        try (Stage stage = new Stage(scene, model)) {
            row.staging().set(stage);
            try (RawClient client = RawClient.connect(scene.port())) {
                client.send(row.asking().request(model));
                row.sight().check(row.client().act(client, stage));
                settled(stage.fleet());
                engines(stage, client);
                if (row.sight().staysOpen()) connectionServesOn(client);
            }
            decided(stage);
            return closed(stage.fleet());
        }
    }

    private void settled(Fleet fleet) {
        Await.value("nothing in flight", SETTLED, () -> books.inflight(fleet.numbers()), count -> count == 0);
        Await.value(
                "outcomes",
                TOLD,
                () -> books.outcomes(fleet.numbers()),
                told -> books.hasOutcomes(fleet.numbers(), row.outcomes()));
        Map<String, Long> expected = row.demand().isEmpty() ? Map.of() : Map.of(row.demand(), 1L);
        Await.value("demand", TOLD, () -> books.demand(model), expected::equals);
        assertThat(books.arrived(model)).as("arrived").isEqualTo(expected.size());
    }

    private void engines(Stage stage, RawClient client) throws Exception {
        switch (row.engine()) {
            case ANY -> {}
            case CLOSED -> Await.until("closed at the engine", SETTLED, stage::engineLeft);
            case REUSED -> reused(stage.fleet(), client);
        }
    }

    /** The same client's next request is the same event loop's, which has its own connections. */
    private void reused(Fleet fleet, RawClient client) throws Exception {
        fleet.plan(Plan.json(200, "{}"));
        client.send(Requests.chat(Requests.plainBody(model))).awaitAnswers(2, Row.SOON);
        assertThat(fleet.requests()).hasSize(2);
        assertThat(fleet.requests().get(1).connection())
                .isEqualTo(fleet.requests().get(0).connection());
    }

    /** Its client's connection is as good as new. */
    private void connectionServesOn(RawClient client) throws Exception {
        int before = client.received().statuses().size();
        client.send(Requests.head("GET /v1/models"));
        Received received = client.awaitAnswers(before + 1, Row.SOON);
        assertThat(received.statuses().getLast()).as(received.text()).isEqualTo(200);
    }

    private void decided(Stage stage) throws Exception {
        String id = stage.requestId();
        if (id == null) return;
        JsonNode page = JSON.readTree(scene.operations("/debug/decisions/" + id).body());
        long picked = StreamSupport.stream(page.path("attempts").spliterator(), false)
                .filter(attempt -> !attempt.path("picked").isNull())
                .count();
        assertThat(picked).as("decisions: " + page).isEqualTo(row.attempts());
    }

    private Closed closed(Fleet fleet) {
        boolean again = row.engine() == Row.Line.REUSED;
        long requests = again ? 2 : row.demand().isEmpty() ? 0 : 1;
        Await.value(
                "all demand told",
                TOLD,
                () -> books.demand(model),
                counts -> counts.values().stream().mapToLong(Long::longValue).sum() == requests);
        return new Closed(model, fleet.numbers(), row.allOutcomes(), books.demand(model));
    }
}
