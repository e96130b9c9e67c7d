package dev.penstock.admission.policy;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.RoutingStrategy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says of a model: the part of its policy that has a version.
 *
 * @param milliRpsPerReplica null = no rate limit
 */
public record ModelPolicy(
        String model,
        List<String> aliases,
        PolicyRecord.Strategies strategies,
        @Nullable Long milliRpsPerReplica) {

    public static ModelPolicy of(ModelConfig config) {
        Double rps = config.requestsPerSecondPerReplica();
        return new ModelPolicy(
                config.name(),
                List.copyOf(config.aliases()),
                strategies(config),
                rps == null ? null : Math.round(rps * 1_000));
    }

    private static PolicyRecord.Strategies strategies(ModelConfig config) {
        RoutingStrategy own = config.strategy();
        Double epsilon = own.epsilon();
        return new PolicyRecord.Strategies(
                own.text(),
                own.k(),
                epsilon == null ? null : Math.round(epsilon * 1_000),
                config.clientStrategies().stream().map(RoutingStrategy::text).toList(),
                config.slowStart().toMillis(),
                config.session(),
                config.prefix().mode().text(),
                config.loadTerms(),
                config.relay());
    }

    public boolean isIn(PolicyRecord record) {
        return !record.gone()
                && record.model().equals(model)
                && record.aliases().equals(aliases)
                && record.strategies().equals(strategies)
                && Objects.equals(record.milliRpsPerReplica(), milliRpsPerReplica);
    }
}
