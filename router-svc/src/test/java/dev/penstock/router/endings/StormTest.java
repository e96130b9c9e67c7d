package dev.penstock.router.endings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.router.cases.CaseExtension;
import dev.penstock.router.cases.CaseInfra;
import dev.penstock.router.cases.Fleet;
import dev.penstock.router.cases.Requests;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.router.cases.Together;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.Seeds;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Endings of all kinds at the same time, on the same replicas and connections: afterwards all books balance. */
@ExtendWith(CaseExtension.class)
class StormTest {
    private static final Duration AT_REST = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int REQUESTS = 1_500;
    private static final int AT_ONCE = 200;
    private static final int REPLICAS = 4;
    private static final int SLACK = 64;
    private static final String MODEL = "endings/storm";
    private static final String PLAN = "x-plan";
    private static final Plan ERROR_BEGUN =
            Plan.start().send("HTTP/1.1 500 X\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");

    /** Good ones more often, so that replicas stay in use. */
    private static final List<Plan> PLANS = List.of(
            Rows.GOOD,
            Rows.GOOD,
            Rows.GOOD,
            Rows.GOOD,
            Rows.GOOD,
            Rows.GOOD,
            Rows.GOOD.fin(),
            Rows.BEGUN.waits(30).event(Rows.FINISH).event(Rows.DONE).end(),
            Plan.json(200, "{}"),
            Plan.json(400, "{}"),
            Plan.json(429, "{}"),
            Plan.json(503, "{}"),
            Plan.json(500, "{}"),
            Plan.start().hold(),
            Plan.start().reset(),
            Plan.start().waits(20).fin(),
            Plan.stream().hold(),
            Rows.OPENING.hold(),
            Rows.OPENING.waits(20).reset(),
            Rows.BEGUN.hold(),
            Rows.BEGUN.waits(20).reset(),
            Rows.BEGUN.waits(20).fin(),
            Rows.SAID.hold(),
            Rows.SAID.reset(),
            ERROR_BEGUN.hold(),
            ERROR_BEGUN.waits(20).reset());

    /** What a client does with its request. */
    private enum Client {
        WAITS,
        WAITS_AGAIN,
        CLOSES,
        RESETS,
        SENDS_HALF,
        READS_LITTLE
    }

    private record Request(int plan, Client client, boolean stream, boolean hurried, int jitterMillis) {
        static Request any(RandomGenerator random) {
            Client[] clients = Client.values();
            return new Request(
                    random.nextInt(PLANS.size()),
                    clients[random.nextInt(clients.length)],
                    random.nextInt(4) > 0,
                    random.nextInt(8) == 0,
                    random.nextInt(80));
        }

        byte[] bytes() {
            String body = stream ? Requests.body(MODEL) : Requests.plainBody(MODEL);
            String plans = PLAN + ": " + plan;
            byte[] utf8 = body.getBytes(StandardCharsets.UTF_8);
            return hurried
                    ? Requests.post(Requests.CHAT, utf8, plans, "x-request-timeout-ms: 150")
                    : Requests.post(Requests.CHAT, utf8, plans);
        }
    }

    @Test
    void all_books_balance_after_a_storm(CaseInfra infra) throws Exception {
        String yaml =
                "models:\n  - {name: " + MODEL + ", retry: {budget: 100%}, stream: {firstByte: 500ms, idle: 500ms}}\n";
        try (RouterScene scene = RouterScene.start(infra, "storm", yaml);
                Books books = Books.open(scene);
                Fleet fleet = scene.fleet(MODEL, REPLICAS)) {
            fleet.script(
                    request -> PLANS.get(Integer.parseInt(request.values(PLAN).getFirst())));
            long sockets = OpenSockets.count();

            Seeds.run(random -> storm(scene, fleet, random));

            Await.value("nothing in flight", AT_REST, () -> books.inflight(fleet.numbers()), count -> count == 0);
            Await.value("nothing runs", AT_REST, scene::running, count -> count == 0);
            Await.value(
                    "no body is held", AT_REST, () -> scene.metric("penstock_router_body_bytes"), count -> count == 0);
            assertThat(books.lowest()).isZero();
            Await.until("each request has one ending", AT_REST, () -> balanced(books, fleet));
            Await.value("sockets, of " + sockets, AT_REST, OpenSockets::count, count -> count <= sockets + SLACK);
            assertThat(scene.outcomes().counts())
                    .containsKeys("ok", "client_abort", "client_error", "backpressure", "deadline", "replica_error");
        }
    }

    private static void storm(RouterScene scene, Fleet fleet, RandomGenerator random) throws Exception {
        Request[] requests = new Request[REQUESTS];
        Arrays.setAll(requests, i -> Request.any(random));
        AtomicBoolean over = new AtomicBoolean();
        Thread dying = Thread.ofVirtual().start(() -> dies(fleet, over));
        Together.run(REQUESTS, AT_ONCE, i -> () -> play(scene, requests[i]));
        over.set(true);
        dying.join();
    }

    /** One replica dies and comes back, again and again. */
    private static void dies(Fleet fleet, AtomicBoolean over) {
        while (!over.get()) {
            fleet.u(REPLICAS).die();
            pass(200);
            fleet.u(REPLICAS).listen();
            pass(400);
        }
    }

    private static void pass(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean play(RouterScene scene, Request request) throws Exception {
        if (request.client() == Client.READS_LITTLE) return readsLittle(scene, request);
        try (RawClient client = RawClient.connect(scene.port())) {
            byte[] bytes = request.bytes();
            Duration jitter = Duration.ofMillis(request.jitterMillis());
            switch (request.client()) {
                case WAITS -> client.send(bytes).awaitAnswers(1, PATIENCE);
                case WAITS_AGAIN -> client.send(Requests.joined(bytes, bytes)).awaitAnswers(2, PATIENCE);
                case CLOSES -> client.send(bytes).waits(jitter).close();
                case RESETS -> client.send(bytes).waits(jitter).reset();
                case SENDS_HALF ->
                    client.send(Arrays.copyOf(bytes, bytes.length - 5))
                            .waits(jitter)
                            .close();
                case READS_LITTLE -> throw new IllegalStateException();
            }
        }
        return true;
    }

    private static boolean readsLittle(RouterScene scene, Request request) throws Exception {
        try (SlowClient client = new SlowClient(scene.port())) {
            client.send(request.bytes());
            pass(request.jitterMillis());
            client.reset();
        }
        return true;
    }

    /** What is told of outcomes may be lost on its way, what is told of demand is told again. */
    private static boolean balanced(Books books, Fleet fleet) {
        Map<String, Long> demand = books.demand(MODEL);
        long ended = demand.values().stream().mapToLong(Long::longValue).sum();
        return !demand.containsKey("running") && ended == books.arrived(MODEL) && ended > 0 && fleet.count() > 0;
    }
}
