package dev.penstock.kit.management;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Whether a service may get traffic, and if not, why. Any thread may call. */
public final class Readiness {
    private final List<Condition> conditions = new CopyOnWriteArrayList<>();
    private volatile boolean draining;

    /** Not ready until said otherwise. */
    public Condition condition(String name, String initialReason) {
        Condition condition = new Condition(name, initialReason);
        conditions.add(condition);
        return condition;
    }

    public boolean ready() {
        if (draining) return false;
        for (Condition condition : conditions) {
            if (!condition.state().ok()) return false;
        }
        return true;
    }

    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        boolean ready = !draining;
        ArrayNode list = json.arrayNode();
        for (Condition condition : conditions) {
            Condition.State state = condition.state();
            ready &= state.ok();
            add(list, condition.name(), state);
        }
        if (draining) add(list, "draining", new Condition.State(false, "shutting down"));
        json.put("ready", ready);
        json.set("conditions", list);
        return json;
    }

    /** Not ready from here on: load balancers need to see it before connections are refused. */
    public void draining() {
        draining = true;
    }

    private static void add(ArrayNode list, String name, Condition.State state) {
        list.addObject().put("name", name).put("ok", state.ok()).put("reason", state.reason());
    }
}
