package dev.penstock.localstack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of the whole stack as {@code penstock status --json} shows it, put together from the services' own pages. */
final class StatusPage {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Where a service is asked. */
    record Place(String name, String url, String managementUrl) {}

    private final List<Instance> instances;
    private final RoleBoard roles;
    private final StateServers servers;
    private final @Nullable String managementToken;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    StatusPage(List<Instance> instances, RoleBoard roles, StateServers servers, @Nullable String managementToken) {
        this.instances = instances;
        this.roles = roles;
        this.servers = servers;
        this.managementToken = managementToken;
    }

    JsonObject render() {
        JsonArray routerRows = new JsonArray();
        List<JsonObject> views = new ArrayList<>();
        JsonArray serviceRows = new JsonArray();
        for (Instance instance : instances) {
            if (instance.kind() != ServiceKind.ROUTER) {
                serviceRows.add(service(instance));
                continue;
            }
            Place router = instance.place();
            JsonObject view = get(router.managementUrl() + "/debug/view");
            views.add(view);
            routerRows.add(new JsonObject()
                    .put("name", router.name())
                    .put("url", router.url())
                    .put("managementUrl", router.managementUrl())
                    .put("ready", get(router.managementUrl() + "/readyz").getBoolean("ready", false))
                    .put("viewAgeMs", view.getValue("viewAgeMs"))
                    .put("cpuCores", cores(instance)));
        }
        JsonArray replicas = replicas(views, scraped());
        return new JsonObject()
                .put("routers", routerRows)
                .put("services", serviceRows)
                .put("roles", roles.render())
                .put("models", models(replicas))
                .put("replicas", replicas)
                .put("kafka", new JsonObject().put("up", servers.kafka.isRunning()))
                .put("redis", new JsonObject().put("up", servers.redis.isRunning()));
    }

    private JsonObject service(Instance instance) {
        JsonObject ready = get(instance.place().managementUrl() + "/readyz");
        return new JsonObject()
                .put("name", instance.kind().label())
                .put("instance", instance.index())
                .put("ready", ready.getBoolean("ready", false))
                .put("url", instance.place().url())
                .put("reasons", ready.isEmpty() ? new JsonArray().add("does not answer") : reasons(ready))
                .put("cpuCores", cores(instance));
    }

    /** Null where instances share this JVM. */
    private static @Nullable Double cores(Instance instance) {
        double cores = instance.cpuCores();
        return cores < 0 ? null : Math.round(cores * 1000) / 1000.0;
    }

    private static JsonArray reasons(JsonObject ready) {
        JsonArray reasons = new JsonArray();
        for (Object each : ready.getJsonArray("conditions", new JsonArray())) {
            if (each instanceof JsonObject condition && !condition.getBoolean("ok", false)) {
                reasons.add(condition.getString("name") + ": " + condition.getString("reason"));
            }
        }
        return reasons;
    }

    /**
     * What the collector that scrapes a replica says of it.
     *
     * @param millis between its scrapes as they are achieved, which a slow machine makes longer
     */
    private record Scraped(@Nullable Integer millis) {}

    private static final Scraped NOT_SCRAPED = new Scraped(null);

    private Map<String, Scraped> scraped() {
        Map<String, Scraped> nameToScraped = new TreeMap<>();
        for (Instance instance : instances) {
            if (instance.kind() != ServiceKind.COLLECTOR) continue;
            JsonObject page = get(instance.place().managementUrl() + "/debug/replicas");
            for (Object each : page.getJsonArray("replicas", new JsonArray())) {
                JsonObject row = (JsonObject) each;
                nameToScraped.put(row.getString("name"), new Scraped(row.getInteger("achievedMs")));
            }
        }
        return nameToScraped;
    }

    /** The first router's view of each replica; in-flight is the sum of all routers' own counts. */
    private static JsonArray replicas(List<JsonObject> views, Map<String, Scraped> nameToScraped) {
        Map<Integer, JsonObject> rows = new TreeMap<>();
        for (JsonObject view : views) {
            for (Object each : view.getJsonArray("replicas", new JsonArray())) {
                JsonObject seen = (JsonObject) each;
                JsonObject row = rows.computeIfAbsent(seen.getInteger("number"), number -> row(seen));
                row.put("inflight", row.getInteger("inflight") + seen.getInteger("own"));
                Scraped scraped = nameToScraped.getOrDefault(seen.getString("name"), NOT_SCRAPED);
                row.put("scrapeMs", scraped.millis());
            }
        }
        return new JsonArray(new ArrayList<>(rows.values()));
    }

    private static JsonObject row(JsonObject seen) {
        JsonObject row = new JsonObject();
        for (String field : List.of(
                "name",
                "number",
                "endpoint",
                "engine",
                "pool",
                "models",
                "freshness",
                "ageMs",
                "intervalMs",
                "capacity",
                "running",
                "waiting",
                "kvUsed",
                "quarantine",
                "verdict",
                "candidate")) {
            if (seen.containsKey(field)) row.put(field, seen.getValue(field));
        }
        return row.put("inflight", 0);
    }

    private static JsonArray models(JsonArray replicas) {
        Map<String, JsonObject> rows = new TreeMap<>();
        for (Object each : replicas) {
            JsonObject replica = (JsonObject) each;
            for (Object model : replica.getJsonArray("models", new JsonArray())) {
                JsonObject row = rows.computeIfAbsent(String.valueOf(model), name -> new JsonObject()
                        .put("name", name)
                        .put("pool", replica.getString("pool"))
                        .put("replicas", 0)
                        .put("routable", 0));
                row.put("replicas", row.getInteger("replicas") + 1);
                String verdict = replica.getString("verdict", "");
                boolean routable = replica.getBoolean("candidate", false)
                        && "none".equals(replica.getString("quarantine"))
                        && !verdict.startsWith("EJECTED")
                        && !verdict.startsWith("HALF_OPEN");
                if (routable) row.put("routable", row.getInteger("routable") + 1);
            }
        }
        return new JsonArray(new ArrayList<>(rows.values()));
    }

    /** A page, or an empty object when it can't be had: status must work best when things are broken. */
    private JsonObject get(String url) {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
            if (managementToken != null) request.header("authorization", "Bearer " + managementToken);
            return new JsonObject(client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new JsonObject();
        } catch (Exception e) {
            return new JsonObject();
        }
    }
}
