package dev.penstock.collector.discovery;

import dev.penstock.collector.http.BoundedGet;
import dev.penstock.collector.http.Fetched;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.EngineKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks replicas that were named without models or kind of engine what they serve and who they are: until they answer, with growing pauses, and then each
 * 30 s. What was learned stays while a replica does not answer. Used on one context.
 */
public final class ModelLearner {
    private static final Logger LOG = LoggerFactory.getLogger(ModelLearner.class);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int MAX_BYTES = 1 << 20;
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long AGAIN_NANOS = Duration.ofSeconds(30).toNanos();

    private final BoundedGet http;
    private final LongSupplier nanoClock;
    private final Map<String, Lesson> endpointToLesson = new HashMap<>();

    /** What is known of one endpoint. */
    private static final class Lesson {
        List<String> models = List.of();
        EngineKind kind = EngineKind.AUTO;
        long dueNanos;
        long pauseNanos = FIRST_PAUSE_NANOS;
        boolean asking;
        boolean complained;
    }

    public ModelLearner(BoundedGet http, LongSupplier nanoClock) {
        this.http = http;
        this.nanoClock = nanoClock;
    }

    /** The same replicas with what is known so far; asks where that is due. Models still unknown stay empty. */
    public List<DiscoveredReplica> complete(List<DiscoveredReplica> replicas) {
        long now = nanoClock.getAsLong();
        Set<String> needed = new HashSet<>();
        List<DiscoveredReplica> completed = new ArrayList<>(replicas.size());
        for (DiscoveredReplica replica : replicas) {
            EngineKind kind = replica.engine();
            List<String> models = replica.models();
            if (models.isEmpty() || kind == EngineKind.AUTO) {
                needed.add(replica.endpoint());
                Lesson lesson = endpointToLesson.computeIfAbsent(replica.endpoint(), endpoint -> due(now));
                if (!lesson.asking && now - lesson.dueNanos >= 0) ask(replica, lesson);
                if (models.isEmpty()) models = lesson.models;
                if (kind == EngineKind.AUTO) kind = lesson.kind;
            }
            completed.add(replica.with(models, kind));
        }
        endpointToLesson.keySet().retainAll(needed);
        return completed;
    }

    private static Lesson due(long now) {
        Lesson lesson = new Lesson();
        lesson.dueNanos = now;
        return lesson;
    }

    private void ask(DiscoveredReplica replica, Lesson lesson) {
        lesson.asking = true;
        http.get(replica.endpoint(), "/v1/models", LIMIT, MAX_BYTES).onSuccess(fetched -> {
            lesson.asking = false;
            switch (fetched) {
                case Fetched.Answer answer when answer.status() == 200 -> learn(replica, lesson, answer.body());
                case Fetched.Answer answer -> retry(replica, lesson, "status " + answer.status());
                case Fetched.Broken broken -> retry(replica, lesson, broken.reason());
            }
        });
    }

    private void learn(DiscoveredReplica replica, Lesson lesson, byte[] answer) {
        List<String> models = ModelList.parse(answer);
        if (models.isEmpty()) {
            retry(replica, lesson, "no models in the answer");
            return;
        }
        if (!models.equals(lesson.models)) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.REPLICA, replica.name())
                    .addKeyValue(LogKeys.OLD, lesson.models)
                    .addKeyValue(LogKeys.NEW, models)
                    .log("models learned");
        }
        lesson.models = models;
        lesson.kind = ModelList.kind(answer);
        lesson.complained = false;
        lesson.pauseNanos = FIRST_PAUSE_NANOS;
        lesson.dueNanos = nanoClock.getAsLong() + AGAIN_NANOS;
    }

    private void retry(DiscoveredReplica replica, Lesson lesson, String reason) {
        lesson.dueNanos = nanoClock.getAsLong() + lesson.pauseNanos;
        lesson.pauseNanos = Math.min(2 * lesson.pauseNanos, LONGEST_PAUSE_NANOS);
        if (lesson.complained) return;
        lesson.complained = true;
        LOG.atWarn()
                .addKeyValue(LogKeys.REPLICA, replica.name())
                .addKeyValue(LogKeys.URL, replica.endpoint() + "/v1/models")
                .addKeyValue(LogKeys.REASON, reason)
                .log("models not learned, asking again");
    }
}
