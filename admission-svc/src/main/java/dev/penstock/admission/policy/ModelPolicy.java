package dev.penstock.admission.policy;

import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import java.util.List;
import java.util.Locale;
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
        String strategy,
        @Nullable Long milliRpsPerReplica) {

    public static ModelPolicy of(ModelConfig config) {
        Double rps = config.requestsPerSecondPerReplica();
        return new ModelPolicy(
                config.name(),
                List.copyOf(config.aliases()),
                config.strategy().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                rps == null ? null : Math.round(rps * 1_000));
    }

    public boolean isIn(PolicyRecord record) {
        return !record.gone()
                && record.model().equals(model)
                && record.aliases().equals(aliases)
                && record.strategy().equals(strategy)
                && Objects.equals(record.milliRpsPerReplica(), milliRpsPerReplica);
    }
}
