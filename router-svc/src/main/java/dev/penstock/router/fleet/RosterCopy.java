package dev.penstock.router.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.RosterRecord;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a router from its roster copy when Kafka does not answer in time, and keeps the copy current. An endpoint of the
 * copy is used only if its {@code /v1/models} still lists a model of its replica, and for ten minutes at most. Lives on
 * the view's context.
 */
public final class RosterCopy {
    private static final Logger LOG = LoggerFactory.getLogger(RosterCopy.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long USED_AT_MOST_MILLIS = 600_000;

    private final Vertx vertx;
    private final FleetView view;
    private final RosterFile file;
    private final HttpClient client;
    /** Replicas that only the copy speaks for: what Kafka's roster does not confirm leaves again. */
    private final Map<Integer, RosterRecord> numberToCopied = new HashMap<>();

    private long writtenVersion;
    private boolean anyConfirmed;
    private boolean caughtUp;
    private boolean writing;

    public RosterCopy(Vertx vertx, FleetView view, RosterFile file) {
        this.vertx = vertx;
        this.view = view;
        this.file = file;
        this.client = vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(1_000));
    }

    /** Kafka's roster has a record of this replica. */
    public void confirmed(int number) {
        anyConfirmed = true;
        numberToCopied.remove(number);
    }

    /**
     * The roster was read from Kafka: from here on the copy follows it. An empty roster refutes nobody: a topic that was
     * lost is written anew by the collector within 30 s, and until then the copy is all there is.
     */
    public void caughtUp() {
        caughtUp = true;
        if (anyConfirmed) dropUnconfirmed("not in the roster");
    }

    private void dropUnconfirmed(String reason) {
        if (numberToCopied.isEmpty()) return;
        LOG.atInfo()
                .addKeyValue(LogKeys.COUNT, numberToCopied.size())
                .addKeyValue(LogKeys.REASON, reason)
                .log("replicas of the roster copy dropped");
        numberToCopied.values().forEach(record -> view.apply(asGone(record)));
        numberToCopied.clear();
    }

    /** Uses the copy unless Kafka has answered within the wait. */
    public void useUnlessCaughtUp(long waitMillis) {
        vertx.setTimer(waitMillis, timer -> {
            if (!caughtUp) vertx.executeBlocking(file::read, false).onComplete(this::use, this::unusable);
        });
    }

    private void use(List<RosterRecord> records) {
        if (caughtUp || records.isEmpty()) return;
        LOG.atWarn()
                .addKeyValue("replicas", records.size())
                .log("no roster from Kafka: starting from the copy on disk");
        for (RosterRecord record : records) {
            if (view.current().byNumber(record.replica().number()) != null) continue;
            view.apply(record);
            numberToCopied.put(record.replica().number(), record);
        }
        for (ReplicaEntry entry : view.current().entries()) vouch(entry);
        vertx.setTimer(USED_AT_MOST_MILLIS, timer -> dropUnconfirmed("the copy is too old"));
    }

    private void unusable(Throwable failure) {
        LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.getMessage()).log("roster copy can't be read");
    }

    private void vouch(ReplicaEntry entry) {
        RequestOptions models = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(entry.replica().endpoint() + "/v1/models")
                .setTimeout(2_000);
        client.request(models)
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .onSuccess(body -> {
                    if (lists(body.getBytes(), entry)) entry.cell().vouchFor();
                });
    }

    private static boolean lists(byte[] body, ReplicaEntry entry) {
        try {
            for (JsonNode model : JSON.readTree(body).path("data")) {
                if (entry.replica().models().contains(model.path("id").asText())) return true;
            }
        } catch (IOException notJson) {
            return false;
        }
        return false;
    }

    private static RosterRecord asGone(RosterRecord record) {
        return new RosterRecord(
                record.header(), record.replica(), true, record.highestNumber(), RosterRecord.AGE_UNKNOWN);
    }

    /** Called about once a second: writes the copy when the roster has changed. */
    public void writeIfChanged() {
        RosterImage image = view.current();
        if (!caughtUp || writing || image.version() == writtenVersion) return;
        writing = true;
        vertx.executeBlocking(
                        () -> {
                            file.write(image);
                            return image.version();
                        },
                        false)
                .onComplete(result -> {
                    writing = false;
                    if (result.succeeded()) writtenVersion = result.result();
                    else unwritable(image, result.cause());
                });
    }

    private void unwritable(RosterImage image, Throwable failure) {
        writtenVersion = image.version();
        LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.getMessage()).log("roster copy can't be written");
    }
}
