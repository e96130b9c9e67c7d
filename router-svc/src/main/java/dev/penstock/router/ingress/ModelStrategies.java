package dev.penstock.router.ingress;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RoutingStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which strategy a request is routed: its model's, or the one its {@code routing-strategy} header names if the model's
 * policy lets clients choose it. Choices are made when a policy comes, never for a request, and one that did not change stays
 * the same object. The view's writer applies policies, every event loop asks.
 *
 * @param <T> what a strategy is compiled to; all event loops share it
 */
public final class ModelStrategies<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ModelStrategies.class);

    private final Function<RoutingStrategy, T> compiler;
    private final Choices<T> unlisted;
    private volatile Map<String, Choices<T>> modelToChoices;
    private boolean unknownSeen;

    /**
     * A strategy, ready to be used.
     *
     * @param slowStartNanos 0 = a new replica is treated like any other
     */
    public record Choice<T>(RoutingStrategy strategy, long slowStartNanos, T rule) {}

    /** What a model's requests may be routed by. */
    private record Choices<T>(Choice<T> own, Map<String, Choice<T>> textToChoice) {
        Choice<T> of(@Nullable String text) {
            Choice<T> chosen = text == null ? null : textToChoice.get(text);
            return chosen == null ? own : chosen;
        }

        boolean are(RoutingStrategy strategy, List<RoutingStrategy> client, long slowStartNanos) {
            return own.strategy().equals(strategy)
                    && own.slowStartNanos() == slowStartNanos
                    && textToChoice.size() == client.size()
                    && client.stream().allMatch(each -> {
                        Choice<T> choice = textToChoice.get(each.text());
                        return choice != null && choice.strategy().equals(each);
                    });
        }
    }

    public ModelStrategies(List<ModelConfig> models, Function<RoutingStrategy, T> compiler) {
        this.compiler = compiler;
        this.unlisted = choices(RoutingStrategy.DEFAULT, List.of(), ModelConfig.DEFAULT_SLOW_START);
        Map<String, Choices<T>> choices = new HashMap<>();
        for (ModelConfig model : models) {
            choices.put(model.name(), choices(model.strategy(), model.clientStrategies(), model.slowStart()));
        }
        modelToChoices = Map.copyOf(choices);
    }

    /**
     * No allocation.
     *
     * @param model the engines' name; one that nobody listed has the defaults
     * @param header the client's word, exactly as the policy has it; any other is ignored
     */
    public Choice<T> of(String model, @Nullable String header) {
        Choices<T> choices = modelToChoices.get(model);
        return (choices == null ? unlisted : choices).of(header);
    }

    /** A policy's strategies take the place of what the model had. One writer. */
    public void apply(PolicyRecord policy) {
        if (policy.gone()) put(policy.model(), null);
        else change(policy.model(), policy.strategies());
    }

    private void change(String model, PolicyRecord.Strategies told) {
        RoutingStrategy own = read(model, told, told.own());
        Choices<T> before = modelToChoices.get(model);
        if (own == null) own = (before == null ? unlisted : before).own().strategy();
        List<RoutingStrategy> client = new ArrayList<>();
        for (String text : told.client()) {
            RoutingStrategy each = read(model, told, text);
            if (each != null && !client.contains(each)) client.add(each);
        }
        Long millis = told.slowStartMillis();
        Duration slowStart = millis == null ? ModelConfig.DEFAULT_SLOW_START : Duration.ofMillis(millis);
        if (before == null || !before.are(own, client, slowStart.toNanos())) {
            put(model, choices(own, client, slowStart));
        }
    }

    /** Null for a strategy of a newer version: what the model had stays. */
    private @Nullable RoutingStrategy read(String model, PolicyRecord.Strategies told, String text) {
        try {
            Long epsilonMilli = told.epsilonMilli();
            return RoutingStrategy.parse(text).with(told.k(), epsilonMilli == null ? null : epsilonMilli / 1e3);
        } catch (RoutingStrategy.InvalidException e) {
            if (!unknownSeen) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.MODEL, model)
                        .addKeyValue(LogKeys.ERROR, e.getMessage())
                        .log("strategy of a policy passed over; further ones are not logged");
            }
            unknownSeen = true;
            return null;
        }
    }

    private void put(String model, @Nullable Choices<T> choices) {
        Map<String, Choices<T>> next = new HashMap<>(modelToChoices);
        if (choices == null) next.remove(model);
        else next.put(model, choices);
        modelToChoices = Map.copyOf(next);
    }

    private Choices<T> choices(RoutingStrategy own, List<RoutingStrategy> client, Duration slowStart) {
        Map<String, Choice<T>> textToChoice = new HashMap<>();
        for (RoutingStrategy each : client) textToChoice.put(each.text(), choice(each, slowStart));
        return new Choices<>(choice(own, slowStart), Map.copyOf(textToChoice));
    }

    private Choice<T> choice(RoutingStrategy strategy, Duration slowStart) {
        return new Choice<>(strategy, slowStart.toNanos(), compiler.apply(strategy));
    }
}
