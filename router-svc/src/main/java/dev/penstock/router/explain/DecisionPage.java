package dev.penstock.router.explain;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.explain.Decision;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.pick.PickOrder;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.management.ItemPage;
import dev.penstock.model.RoutingStrategy.Kind;
import dev.penstock.router.config.ManagementUrl;
import dev.penstock.router.fleet.PeerAddresses;
import dev.penstock.router.ingress.IngressVerticle;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /debug/decisions/<request id>}: the decisions of one request, attempt by attempt, each made again. Asks every event
 * loop; replicas are named by the roster of today. A request that another router decided is asked of that one: its id
 * selects a name among the routers heard, so no caller chooses where to connect.
 */
public final class DecisionPage implements ItemPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String router;
    private final FleetView view;
    private final List<IngressVerticle> loops;
    private final PeerAddresses addresses;
    private final PeerDecisions peers;
    private final LongSupplier nanoClock;

    /** @param loops those that run, which may become more */
    public DecisionPage(
            String router,
            FleetView view,
            List<IngressVerticle> loops,
            PeerAddresses addresses,
            PeerDecisions peers,
            LongSupplier nanoClock) {
        this.router = router;
        this.view = view;
        this.loops = loops;
        this.addresses = addresses;
        this.peers = peers;
        this.nanoClock = nanoClock;
    }

    @Override
    public Future<Answer> of(String id, MultiMap headers) {
        RequestName request = RequestName.parse(id);
        if (request == null) return notHere("expected <router>-<number>, got " + id, null);
        return request.router().equals(router) ? own(request, id) : elsewhere(request, headers);
    }

    private Future<Answer> own(RequestName request, String id) {
        List<Future<List<Decision>>> asked =
                loops.stream().map(loop -> loop.decisionsOf(request.number())).toList();
        return Future.all(asked).compose(all -> {
            List<Decision> decisions = new ArrayList<>();
            asked.forEach(each -> decisions.addAll(each.result()));
            if (decisions.isEmpty()) {
                return notHere(
                        "no decision of " + id + ": never routed, or older than the last " + DecisionRing.DECISIONS
                                + " of its event loop",
                        router);
            }
            return Future.succeededFuture(new Answer(200, page(request, decisions)));
        });
    }

    private Future<Answer> elsewhere(RequestName request, MultiMap headers) {
        String decider = request.router();
        String askedBy = headers.get(PeerDecisions.ASKED_BY);
        if (askedBy != null) {
            return notHere(
                    askedBy + " asked " + router + " for a decision of " + decider + ": check " + decider
                            + "'s router.managementUrl, which leads here",
                    decider);
        }
        long now = nanoClock.getAsLong();
        return switch (addresses.find(decider, now)) {
            case PeerAddresses.Found.At(ManagementUrl url) ->
                peers.ask(url, request.id(), headers)
                        .recover(
                                failure -> Future.succeededFuture(noAnswer(decider, url.text(), failure.getMessage())));
            case PeerAddresses.Found.Untold() ->
                Future.succeededFuture(noAnswer(
                        decider, null, "it does not tell its management URL (an older version, or it is starting)"));
            case PeerAddresses.Found.Unknown() ->
                notHere(
                        "decided by " + decider + ", which " + router + " has not heard for "
                                + PeerAddresses.FORGOTTEN_SECONDS + " s (heard: " + addresses.names(now)
                                + "). If it runs, ask its management port; if not, its decisions are gone with it",
                        decider);
        };
    }

    private Answer noAnswer(String decider, @Nullable String url, @Nullable String reason) {
        String at = url == null ? "" : " at " + url;
        String error = "decided by " + decider + ", which " + router + " cannot ask" + at + ": " + reason + ". If "
                + decider
                + " runs, ask its management port, and check its router.managementUrl and that all routers have the"
                + " same security.managementToken; if not, its decisions are gone with it";
        ObjectNode body = JSON.createObjectNode().put("error", error).put("router", decider);
        if (url != null) body.put("url", url);
        return new Answer(502, body);
    }

    private static Future<Answer> notHere(String error, @Nullable String router) {
        ObjectNode body = JSON.createObjectNode().put("error", error);
        if (router != null) body.put("router", router);
        return Future.succeededFuture(new Answer(404, body));
    }

    private ObjectNode page(RequestName request, List<Decision> decisions) {
        ObjectNode page = JSON.createObjectNode();
        page.put("id", request.id()).put("router", router);
        var attempts = page.putArray("attempts");
        long now = nanoClock.getAsLong();
        for (Decision decision : decisions) attempts.add(attempt(decision, now));
        return page;
    }

    ObjectNode attempt(Decision decision, long now) {
        ObjectNode node = JSON.createObjectNode();
        node.put("attempt", decision.attempt())
                .put("decision", ReasonCode.of(decision.reason(), strategy(decision.order())))
                .put("reason", decision.reason().name().toLowerCase(Locale.ROOT))
                .put("picked", decision.routed() ? name(decision.picked()) : null)
                .put("agoMs", (now - decision.nowNanos()) / 1_000_000)
                .put("viewVersion", decision.viewVersion())
                .put("degraded", decision.degraded())
                .put("draw", Long.toHexString(decision.draw()));
        if (decision.order() != 0) putOrder(node, decision.order());
        var candidates = node.putArray("candidates");
        Contest contest = new Contest(decision);
        for (Decision.Candidate candidate : decision.candidates()) {
            candidates.add(candidate(decision, contest, candidate));
        }
        ObjectNode counts = node.putObject("counts");
        decision.counts().forEach((standing, count) -> counts.put(key(standing), count));
        Decision.Candidate again = ReDecide.pick(decision);
        node.put("reDecided", again == null ? null : name(again.number())).put("agrees", ReDecide.agrees(decision));
        return node;
    }

    private static void putOrder(ObjectNode node, long order) {
        node.put("strategy", strategy(order))
                .put("k", PickOrder.k(order))
                .put("epsilon", PickOrder.epsilonMilli(order) / 1000.0);
        if (!PickOrder.weighted(order)) return;
        ObjectNode weights = node.putObject("weights");
        for (Kind term : Contest.TERMS) {
            double share = PickOrder.share(order, term);
            if (share > 0) weights.put(term.key(), thousandths(share));
        }
    }

    private static String strategy(long order) {
        return PickOrder.weighted(order) ? "weighted" : PickOrder.kind(order).key();
    }

    private ObjectNode candidate(Decision decision, Contest contest, Decision.Candidate candidate) {
        ObjectNode node = JSON.createObjectNode();
        node.put("replica", name(candidate.number()))
                .put("number", candidate.number())
                .put("picked", decision.routed() && candidate.number() == decision.picked())
                .put("nearTie", contest.nearTie(candidate))
                .put("standing", key(candidate.standing()))
                .put("why", Words.of(candidate.standing()))
                .put("own", candidate.own())
                .put("peers", candidate.peersMilli() / 1000.0)
                .put("bias", candidate.biasMilli() / 1000.0);
        var causes = node.putArray("biasCauses");
        Words.causes(candidate.biasCauses()).forEach(each -> causes.add(Words.key(each)));
        node.put("load", candidate.loadMilli() / 1000.0);
        putScore(node, decision, contest, candidate);
        node.put("freshness", candidate.freshness().name().toLowerCase(Locale.ROOT));
        if (candidate.ageMillis() >= 0) {
            node.put("ageMs", candidate.ageMillis()).put("waiting", candidate.waiting());
        }
        if (candidate.kvUsed() >= 0) node.put("kvUsed", candidate.kvUsed());
        String winner = decision.routed() ? name(decision.picked()) : null;
        node.put("wouldWin", Words.of(WayToWin.of(decision, candidate), candidate, winner));
        return node;
    }

    /** Of a weighted strategy 0 to 1; else requests, where that is not the load. */
    private static void putScore(ObjectNode node, Decision decision, Contest contest, Decision.Candidate candidate) {
        if (contest.weighted()) {
            if (candidate.rank() == contest.standing()) node.put("score", thousandths(contest.score(candidate)));
        } else if (decision.candidates().stream().anyMatch(DecisionPage::scored)) {
            node.put("score", candidate.scoreMilli() / 1000.0);
        }
        if (candidate.weight() != HotRow.EVEN_WEIGHT)
            node.put("weight", thousandths((double) candidate.weight() / HotRow.EVEN_WEIGHT));
        int warmth = candidate.warmth();
        if (candidate.creditMilli() > 0) node.put("credit", candidate.creditMilli() / 1000.0);
        if (Warmth.hitMilli(warmth) > 0) node.put("prefixHit", Warmth.hitMilli(warmth) / 1000.0);
        if (Warmth.tie(warmth) != Warmth.Tie.NONE)
            node.put("session", Warmth.tie(warmth).name().toLowerCase(Locale.ROOT));
    }

    private static boolean scored(Decision.Candidate candidate) {
        return candidate.weight() != HotRow.EVEN_WEIGHT || candidate.creditMilli() > 0;
    }

    private static double thousandths(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static String key(Standing standing) {
        return switch (standing) {
            case ROUTABLE -> "routable";
            case RAMPING -> "ramping";
            case NO_SLOT -> "noSlot";
            case SOFT -> "soft";
            case QUARANTINED -> "quarantined";
            case HARD -> "hard";
            case EXCLUDED_NO_SLOT -> "excludedNoSlot";
            case TRIED -> "tried";
            case NOT_CANDIDATE -> "notCandidate";
        };
    }

    private String name(int number) {
        ReplicaEntry entry = view.current().byNumber(number);
        return entry == null ? "replica " + number + " (gone)" : entry.replica().name();
    }
}
