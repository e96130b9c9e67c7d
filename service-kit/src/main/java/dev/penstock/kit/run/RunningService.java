package dev.penstock.kit.run;

import io.vertx.core.Future;
import java.time.Duration;

/** A service that runs until it is told to stop. */
public interface RunningService {
    /** One line for the log: what listens where. */
    String describe();

    /** Takes no new work, ends what runs within the grace, releases everything. */
    Future<Void> shutdown(Duration grace);
}
