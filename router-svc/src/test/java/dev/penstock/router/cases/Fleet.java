package dev.penstock.router.cases;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.model.EngineKind;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.Script;
import dev.penstock.testkit.raw.ScriptedReplica;
import dev.penstock.testkit.raw.SeenRequest;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The replicas of one model in one test, with nothing held against them; gone from the roster when it is over. */
public final class Fleet implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Plan GOOD = Plan.json(200, "{\"good\":true}");

    private final RouterScene scene;
    private final String model;
    private final List<ScriptedReplica> replicas = new ArrayList<>();
    private final List<ReplicaBuilder> entries = new ArrayList<>();

    private Fleet(RouterScene scene, String model) {
        this.scene = scene;
        this.model = model;
    }

    public static Fleet start(RouterScene scene, String model, int count) {
        Fleet fleet = new Fleet(scene, model);
        for (int i = 0; i < count; i++) fleet.add();
        fleet.awaitCandidates();
        return fleet;
    }

    /** One more, behind a port that the test listens on by itself. */
    public Fleet join(int port) {
        return join(EngineKind.VLLM, port);
    }

    public Fleet join(EngineKind kind, int port) {
        entries.add(scene.infra().feed().add(model, kind, port));
        awaitCandidates();
        return this;
    }

    private void awaitCandidates() {
        Await.until("all are candidates", SOON, () -> {
            JsonNode view = scene.view();
            return entries.stream()
                    .allMatch(entry -> entry(view, entry).path("candidate").asBoolean());
        });
    }

    public String model() {
        return model;
    }

    /** Of all replicas. */
    public List<Integer> numbers() {
        return entries.stream().map(ReplicaBuilder::number).toList();
    }

    /** The i-th replica, from 1. */
    public ScriptedReplica u(int i) {
        return replicas.get(i - 1);
    }

    public String nameOf(int i) {
        return entries.get(i - 1).name();
    }

    /** The i-th replica is started anew: it has lost what it had. */
    void startAnew(int i) {
        ReplicaBuilder anew = entries.get(i - 1).uid("uid-" + System.nanoTime());
        scene.infra().feed().tell(anew);
        entries.set(i - 1, anew);
    }

    /** The i-th replica leaves the roster, and goes on running. */
    void remove(int i) {
        ReplicaBuilder entry = entries.get(i - 1);
        scene.infra().feed().remove(entry);
        Await.until("it is gone", SOON, () -> entry(scene.view(), entry).isMissingNode());
    }

    public int numberOf(int i) {
        return entries.get(i - 1).number();
    }

    public List<ScriptedReplica> replicas() {
        return replicas;
    }

    /** The same plan for all. */
    public Fleet plan(Plan plan) {
        return script(Script.always(plan));
    }

    /** The same script for all; turns are counted by each on its own. */
    public Fleet script(Script script) {
        for (ScriptedReplica replica : replicas) replica.script(script);
        return this;
    }

    /** Requests that came whole, over all replicas, in the order in which they came. */
    public List<SeenRequest> requests() {
        return replicas.stream()
                .flatMap(replica -> replica.log().requests().stream())
                .sorted(Comparator.comparingLong(SeenRequest::atNanos))
                .toList();
    }

    public int count() {
        return replicas.stream().mapToInt(replica -> replica.log().count()).sum();
    }

    /** The one request that came. */
    public SeenRequest only() {
        List<SeenRequest> requests = requests();
        if (requests.size() != 1) throw new AssertionError("expected one request, came " + requests);
        return requests.getFirst();
    }

    /** What the router has in flight at the i-th replica. */
    public int inflight(int i) {
        return entry(scene.view(), entries.get(i - 1)).path("own").asInt();
    }

    public int inflight() {
        JsonNode view = scene.view();
        return entries.stream()
                .mapToInt(entry -> entry(view, entry).path("own").asInt())
                .sum();
    }

    public boolean quarantined(int i) {
        return !entry(scene.view(), entries.get(i - 1))
                .path("quarantine")
                .asText()
                .equals("none");
    }

    public boolean quarantined() {
        for (int i = 1; i <= replicas.size(); i++) if (quarantined(i)) return true;
        return false;
    }

    /** The contract of every ending: nothing is in flight within a second. */
    public void awaitIdle() {
        Await.value("nothing in flight", Duration.ofSeconds(1), this::inflight, count -> count == 0);
    }

    private void add() {
        ScriptedReplica replica = ScriptedReplica.start(model, GOOD);
        replicas.add(replica);
        entries.add(scene.infra().feed().add(model, replica.port()));
    }

    @Override
    public void close() {
        replicas.forEach(ScriptedReplica::close);
        entries.forEach(scene.infra().feed()::remove);
        Await.until("all are gone", SOON, () -> {
            JsonNode view = scene.view();
            return entries.stream().allMatch(entry -> entry(view, entry).isMissingNode());
        });
    }

    private static JsonNode entry(JsonNode view, ReplicaBuilder replica) {
        for (JsonNode entry : view.path("replicas")) {
            if (entry.path("number").asInt() == replica.number()) return entry;
        }
        return view.path("none");
    }
}
