package dev.penstock.localstack;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.ClaimRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.ClaimCodec;
import dev.penstock.wire.MalformedRecordException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Who owns which role, read from the claims themselves. */
final class RoleBoard {
    private final KafkaBus bus;
    private final Map<String, Row> roleToRow = new ConcurrentSkipListMap<>();

    private record Row(String owner, long epoch, long sinceNanos, boolean released) {}

    RoleBoard(Vertx vertx, String bootstrapServers) {
        bus = KafkaBus.create(
                vertx,
                new KafkaConfig(bootstrapServers, (short) 1),
                Incarnation.fresh("status"),
                new SimpleMeterRegistry());
        bus.subscribeWithOffsets(List.of(Topics.CLAIMS), this::record, () -> {});
    }

    private void record(TopicSpec topic, String key, byte @Nullable [] value, long offset, long receiveNanos) {
        if (value == null) return;
        try {
            ClaimRecord claim = ClaimCodec.decode(value);
            roleToRow.put(claim.role(), new Row(claim.header().producer(), offset, receiveNanos, claim.released()));
        } catch (MalformedRecordException e) {
            // Shown by nobody: the services log it.
        }
    }

    /** The instance that owns the role, or null. */
    @Nullable
    String owner(@Nullable String role) {
        Row row = role == null ? null : roleToRow.get(role);
        return row == null || row.released() ? null : row.owner();
    }

    JsonArray render() {
        JsonArray rows = new JsonArray();
        roleToRow.forEach((role, row) -> rows.add(new JsonObject()
                .put("role", role)
                .put("owner", row.released() ? null : row.owner())
                .put("epoch", row.epoch())
                .put("ageMs", (System.nanoTime() - row.sinceNanos()) / 1_000_000)));
        return rows;
    }

    Future<Void> close() {
        return bus.close();
    }
}
