package dev.penstock.admission;

import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.core.rate.RateShares;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the admission service tells about itself. Models are labels because the configuration lists them, not a client. */
public final class AdmissionMetrics {
    /** 1 while this instance publishes the policies. */
    public static final String OWNER = "penstock_admission_owner";

    /** Policies as read back, without those that are gone. */
    public static final String POLICIES = "penstock_admission_policies";

    /** Policy records sent. Label: result (ok, failed). */
    public static final String PUBLISHED = "penstock_admission_published_total";

    /** Changes of the configuration file that were read. Label: result (ok, failed). */
    public static final String RELOADS = "penstock_admission_reloads_total";

    /** 1 while the configuration file is wrong and the last good models stay. */
    public static final String CONFIG_WRONG = "penstock_admission_config_wrong";

    /** Rate limit of a model, requests per second. Label: model. */
    public static final String LIMIT = "penstock_admission_limit_rps";

    /** What all routers together may go by; more than the limit for a moment after it fell. Label: model. */
    public static final String HELD = "penstock_admission_held_rps";

    /** Replicas that count for the limit. Label: model. */
    public static final String ROUTABLE = "penstock_admission_routable_replicas";

    private static final String RESULT = "result";
    private static final String MODEL = "model";

    private final Counter published;
    private final Counter publishFailed;
    private final Counter reloaded;
    private final Counter reloadFailed;
    private final MultiGauge limits;
    private final MultiGauge held;
    private final MultiGauge routable;
    private final MeterRegistry meters;
    private volatile SortedMap<String, Numbers> numbers = new TreeMap<>();

    private record Numbers(@Nullable Long limit, long held, int routable) {}

    public AdmissionMetrics(MeterRegistry meters) {
        this.meters = meters;
        published = meters.counter(PUBLISHED, RESULT, "ok");
        publishFailed = meters.counter(PUBLISHED, RESULT, "failed");
        reloaded = meters.counter(RELOADS, RESULT, "ok");
        reloadFailed = meters.counter(RELOADS, RESULT, "failed");
        limits = MultiGauge.builder(LIMIT).register(meters);
        held = MultiGauge.builder(HELD).register(meters);
        routable = MultiGauge.builder(ROUTABLE).register(meters);
    }

    /** Gauges that ask when they are read. */
    public void watch(BooleanSupplier owner, PolicyBook book, BooleanSupplier configWrong) {
        Gauge.builder(OWNER, () -> owner.getAsBoolean() ? 1 : 0).register(meters);
        Gauge.builder(CONFIG_WRONG, () -> configWrong.getAsBoolean() ? 1 : 0).register(meters);
        Gauge.builder(POLICIES, () -> book.view().values().stream()
                        .filter(heard -> !heard.record().gone())
                        .count())
                .register(meters);
    }

    public void published(boolean ok) {
        (ok ? published : publishFailed).increment();
    }

    public void reloaded(boolean ok) {
        (ok ? reloaded : reloadFailed).increment();
    }

    /** Takes the numbers of each model anew. On one context. */
    public void models(PolicyBook book, Function<String, Map<String, Long>> heldByModel) {
        SortedMap<String, Numbers> next = new TreeMap<>();
        book.view().forEach((model, heard) -> {
            if (heard.record().gone()) return;
            Long limit = heard.limitMilliRps();
            next.put(
                    model,
                    new Numbers(
                            limit,
                            RateShares.sum(heldByModel.apply(model)),
                            heard.record().routableReplicas()));
        });
        boolean otherModels =
                !limited(next).equals(limited(numbers)) || !next.keySet().equals(numbers.keySet());
        numbers = next;
        if (otherModels) register(next);
    }

    private void register(SortedMap<String, Numbers> models) {
        limits.register(rows(limited(models), each -> each.limit == null ? 0 : each.limit / 1e3), true);
        held.register(rows(limited(models), each -> each.held / 1e3), true);
        routable.register(rows(models.keySet(), each -> each.routable), true);
    }

    private List<MultiGauge.Row<?>> rows(Set<String> models, ToDoubleFunction<Numbers> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String model : models) {
            Supplier<Number> current = () -> {
                Numbers now = numbers.get(model);
                return now == null ? Double.NaN : value.applyAsDouble(now);
            };
            rows.add(MultiGauge.Row.of(Tags.of(MODEL, model), current));
        }
        return rows;
    }

    private static Set<String> limited(SortedMap<String, Numbers> models) {
        Set<String> limited = new TreeSet<>(models.keySet());
        limited.removeIf(model -> models.get(model) instanceof Numbers each && each.limit == null);
        return limited;
    }
}
