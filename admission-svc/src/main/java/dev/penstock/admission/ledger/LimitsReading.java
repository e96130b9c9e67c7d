package dev.penstock.admission.ledger;

import dev.penstock.kit.config.ModelConfig;
import io.vertx.core.Future;
import java.util.List;

/**
 * Reads what limits come from - configuration, policies, roster - to where it ends at the call, tells the ledgers of the roster and
 * returns what the configuration says of models.
 */
@FunctionalInterface
public interface LimitsReading {
    Future<List<ModelConfig>> toEnd();
}
