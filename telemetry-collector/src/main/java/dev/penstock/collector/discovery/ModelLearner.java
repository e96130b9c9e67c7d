package dev.penstock.collector.discovery;

import dev.penstock.collector.http.Fetched;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.EngineKind;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks replicas what they serve and who they are: those named without models or kind of engine at once and, until they
 * answer, with growing pauses; then each of them every 1.5 s, spread, because adapters are loaded and unloaded while they
 * run. Nothing cheaper tells of an adapter that nobody uses yet; the answer is about 0.3 kB and costs an engine no step.
 * What was learned stays while a replica does not answer. Used on one context.
 *
 * <pre>
 *   loaded --- at most 1.5 s ---> asked ---> answered ---> told      or: used --- a scrape, 50 ms ---> told
 * </pre>
 */
public final class ModelLearner {
    /** Of one answer. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    public static final int MAX_BYTES = 1 << 20;

    static final long AGAIN_NANOS = Duration.ofMillis(1_500).toNanos();
    private static final Logger LOG = LoggerFactory.getLogger(ModelLearner.class);
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();

    private final Function<String, Future<Fetched>> askModels;
    private final SeenAdapters seen;
    private final LongSupplier nanoClock;
    private final Map<String, Lesson> endpointToLesson = new HashMap<>();
    private boolean changed;

    /** What is known of one endpoint. */
    private static final class Lesson {
        String replica = "";
        List<String> models = List.of();
        EngineKind kind = EngineKind.AUTO;

        @Nullable
        List<String> adapters;
        /** Listed once and no more: requests may still run on them, but new ones would be refused. */
        final Set<String> unloaded = new HashSet<>();

        List<String> told = List.of();
        long dueNanos;
        long pauseNanos = FIRST_PAUSE_NANOS;
        boolean asking;
        /** Or did not, in time. Until then those in use are not all that there are. */
        boolean answered;

        boolean spread;
        String complaint = "";
    }

    /** @param askModels gets an endpoint's list of models within {@link #LIMIT}, at most {@link #MAX_BYTES}; never fails */
    public ModelLearner(Function<String, Future<Fetched>> askModels, SeenAdapters seen, LongSupplier nanoClock) {
        this.askModels = askModels;
        this.seen = seen;
        this.nanoClock = nanoClock;
    }

    /** The same replicas with what is known so far; asks where that is due. Models still unknown stay empty. */
    public List<DiscoveredReplica> complete(List<DiscoveredReplica> replicas) {
        long now = nanoClock.getAsLong();
        Set<String> present = new HashSet<>();
        List<DiscoveredReplica> completed = new ArrayList<>(replicas.size());
        for (DiscoveredReplica replica : replicas) {
            present.add(replica.endpoint());
            boolean unknown = replica.models().isEmpty() || replica.engine() == EngineKind.AUTO;
            Lesson lesson = endpointToLesson.computeIfAbsent(replica.endpoint(), end -> first(end, unknown, now));
            lesson.replica = replica.name();
            lesson.told = adapters(replica.endpoint(), lesson, now);
            completed.add(replica.with(
                    replica.models().isEmpty() ? lesson.models : replica.models(),
                    replica.engine() == EngineKind.AUTO ? lesson.kind : replica.engine(),
                    lesson.adapters == null && (!lesson.answered || lesson.told.isEmpty()) ? null : lesson.told));
        }
        endpointToLesson.keySet().retainAll(present);
        changed = false;
        askDue(now);
        return completed;
    }

    /** Asks where that is due. Called ten times a second; true when {@link #complete} would tell something new. */
    public boolean tick() {
        long now = nanoClock.getAsLong();
        endpointToLesson.forEach((endpoint, lesson) -> {
            if (!adapters(endpoint, lesson, now).equals(lesson.told)) changed = true;
        });
        askDue(now);
        return changed;
    }

    private static Lesson first(String endpoint, boolean unknown, long now) {
        Lesson lesson = new Lesson();
        lesson.spread = !unknown;
        lesson.dueNanos = unknown ? now : now + phase(endpoint);
        return lesson;
    }

    /** Those that it lists, and those that it uses. */
    private List<String> adapters(String endpoint, Lesson lesson, long now) {
        List<String> listed = lesson.adapters == null ? List.of() : lesson.adapters;
        List<String> used = seen.at(endpoint, now);
        if (used.isEmpty()) return listed;
        Set<String> all = new TreeSet<>(listed);
        for (String name : used) {
            if (all.size() < ModelRules.MOST_ADAPTERS && !lesson.unloaded.contains(name)) all.add(name);
        }
        all.removeAll(lesson.models);
        return List.copyOf(all);
    }

    private void askDue(long now) {
        endpointToLesson.forEach((endpoint, lesson) -> {
            if (!lesson.asking && now - lesson.dueNanos >= 0) ask(endpoint, lesson);
        });
    }

    private void ask(String endpoint, Lesson lesson) {
        lesson.asking = true;
        long asked = nanoClock.getAsLong();
        lesson.dueNanos = asked + (lesson.spread ? AGAIN_NANOS : phase(endpoint));
        askModels.apply(endpoint).onSuccess(fetched -> {
            lesson.asking = false;
            lesson.answered = true;
            switch (fetched) {
                case Fetched.Answer answer when answer.status() == 200 -> learn(endpoint, lesson, answer.body());
                case Fetched.Answer answer -> retry(endpoint, lesson, "status " + answer.status());
                case Fetched.Broken broken -> retry(endpoint, lesson, broken.reason());
            }
        });
    }

    private void learn(String endpoint, Lesson lesson, byte[] answer) {
        ModelList list = ModelList.parse(answer);
        if (list.models().isEmpty()) {
            retry(endpoint, lesson, list.problem() == null ? "no models in the answer" : list.problem());
            return;
        }
        complain(endpoint, lesson, list.problem() == null ? "" : list.problem());
        List<String> before = lesson.adapters == null ? List.of() : lesson.adapters;
        if (!list.models().equals(lesson.models)) note(lesson, "models learned", lesson.models, list.models());
        if (!list.adapters().equals(before)) note(lesson, "adapters learned", before, list.adapters());
        changed |= lesson.adapters == null
                || !list.adapters().equals(before)
                || !list.models().equals(lesson.models)
                || list.kind() != lesson.kind;
        for (String name : before) {
            if (!list.adapters().contains(name) && lesson.unloaded.size() < ModelRules.MOST_ADAPTERS)
                lesson.unloaded.add(name);
        }
        lesson.unloaded.removeAll(list.adapters());
        lesson.unloaded.retainAll(seen.at(endpoint, nanoClock.getAsLong()));
        lesson.models = list.models();
        lesson.adapters = list.adapters();
        lesson.kind = list.kind();
        lesson.pauseNanos = FIRST_PAUSE_NANOS;
        lesson.spread = true;
    }

    private static void note(Lesson lesson, String what, List<String> before, List<String> after) {
        LOG.atInfo()
                .addKeyValue(LogKeys.REPLICA, lesson.replica)
                .addKeyValue(LogKeys.OLD, before)
                .addKeyValue(LogKeys.NEW, after)
                .log(what);
    }

    private void retry(String endpoint, Lesson lesson, String reason) {
        lesson.dueNanos = nanoClock.getAsLong() + lesson.pauseNanos;
        lesson.pauseNanos = Math.min(2 * lesson.pauseNanos, AGAIN_NANOS);
        complain(endpoint, lesson, reason);
    }

    /** Once until it answers well again, or has something else to complain of. */
    private static void complain(String endpoint, Lesson lesson, String reason) {
        if (!reason.isEmpty() && !reason.equals(lesson.complaint)) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REPLICA, lesson.replica)
                    .addKeyValue(LogKeys.URL, endpoint + "/v1/models")
                    .addKeyValue(LogKeys.REASON, reason)
                    .log("not everything learned of what it serves, asking again");
        }
        lesson.complaint = reason;
    }

    /** Spreads those that were found together. */
    private static long phase(String endpoint) {
        return Math.floorMod(endpoint.hashCode() * 0x9E3779B97F4A7C15L, AGAIN_NANOS);
    }
}
