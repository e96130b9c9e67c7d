package dev.penstock.admission.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.SessionNames;
import org.jspecify.annotations.Nullable;

/** A policy for people and programs: rates in requests per second. */
public final class PolicyJson {
    private PolicyJson() {}

    /** @param owner whether the instance that answers publishes the policies */
    public static ObjectNode of(PolicyBook.Heard heard, boolean owner, long nowNanos) {
        PolicyRecord record = heard.record();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("model", record.model());
        record.aliases().forEach(node.putArray("aliases")::add);
        strategies(node, record.strategies());
        relay(node, record.strategies().relay());
        node.put("version", record.version());
        rps(node, "requestsPerSecondPerReplica", record.milliRpsPerReplica());
        node.put("routableReplicas", record.routableReplicas());
        rps(node, "limitRps", heard.limitMilliRps());
        ObjectNode shares = node.putObject("shares");
        record.shares().forEach(share -> shares.put(share.router(), share.milliRps() / 1e3));
        node.put("epoch", record.header().epoch());
        node.put("owner", owner);
        node.put("ageMs", (nowNanos - heard.nanos()) / 1_000_000);
        return node;
    }

    private static void strategies(ObjectNode node, PolicyRecord.Strategies strategies) {
        node.put("strategy", strategies.own());
        ObjectNode options = node.putObject("strategyOptions");
        options.put("k", strategies.k());
        Long epsilonMilli = strategies.epsilonMilli();
        options.put("epsilon", epsilonMilli == null ? null : epsilonMilli / 1e3);
        strategies.client().forEach(node.putArray("clientStrategies")::add);
        node.put("slowStartMs", strategies.slowStartMillis());
        SessionNames session = strategies.session();
        if (session == null) return;
        ObjectNode names = node.putObject("session");
        session.headers().forEach(names.putArray("headers")::add);
        session.fields().forEach(names.putArray("fields")::add);
    }

    /** Times that are not limited are null. */
    private static void relay(ObjectNode node, @Nullable RelayPolicy relay) {
        if (relay == null) return;
        node.put("deadlineMs", orNull(relay.deadlineMillis()));
        ObjectNode retry = node.putObject("retry");
        ArrayNode on = retry.putArray("on");
        relay.retryOn().forEach(each -> on.add(each.text()));
        retry.put("budget", relay.retryBudget());
        node.putObject("stream")
                .put("commitAfterMs", orNull(relay.commitAfterMillis()))
                .put("firstByteMs", orNull(relay.firstByteMillis()))
                .put("idleMs", relay.idleMillis());
        node.put("defaultMaxTokens", orNull(relay.defaultMaxTokens()));
        ObjectNode split = node.putObject("split");
        relay.split().forEach(each -> split.put(each.model(), each.weight()));
    }

    private static @Nullable Long orNull(long value) {
        return value == 0 ? null : value;
    }

    private static void rps(ObjectNode node, String key, @Nullable Long milliRps) {
        if (milliRps == null) node.putNull(key);
        else node.put(key, milliRps / 1e3);
    }
}
