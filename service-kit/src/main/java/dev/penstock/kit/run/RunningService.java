package dev.penstock.kit.run;

import io.vertx.core.Future;
import java.time.Duration;

/** A service that runs until it is told to stop. */
public interface RunningService {
    /** One line for the log: what listens where. */
    String describe();

    /** How long what runs may take to end when the service is told to stop. Kubernetes kills after 30 s by default. */
    default Duration grace() {
        return Duration.ofSeconds(25);
    }

    /** Takes no new work, ends what runs within the grace, releases everything. */
    Future<Void> shutdown(Duration grace);
}
