package dev.penstock.router.job;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.RedisKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has all routers sign with one key where none was configured: the first puts its own into Redis, the others take it over. Each
 * asks again, so that a Redis that lost its data is told the key anew before a router starts that does not know it. Until Redis
 * has answered a router signs with a key of its own, which it goes on believing. Lives on one context.
 */
final class SharedJobKey {
    private static final Logger LOG = LoggerFactory.getLogger(SharedJobKey.class);
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final double JITTER = 0.2;
    private static final String SCRIPT = """
        redis.call('SET', KEYS[1], ARGV[1], 'NX')
        return redis.call('GET', KEYS[1])
        """;

    private final JobRedis redis;
    private final JobKeys keys;
    private @Nullable PeriodicTask task;
    private boolean agreed;
    private boolean warned;

    SharedJobKey(JobRedis redis, JobKeys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    /** Done, and never failed, when Redis has answered or was given up for now. */
    Future<Void> start(Vertx vertx) {
        return agree().onComplete(
                        first -> task = PeriodicTask.start(vertx, "key of job ids", PERIOD, JITTER, this::agree))
                .mapEmpty();
    }

    void close() {
        if (task != null) task.close();
    }

    private Future<?> agree() {
        Request ask = Request.cmd(Command.EVAL)
                .arg(SCRIPT)
                .arg(1)
                .arg(RedisKeys.JOB_KEY)
                .arg(Base64.getEncoder().encodeToString(keys.signing()));
        return redis.send(ask).map(this::answered).otherwise(this::unanswered);
    }

    private boolean answered(@Nullable Response answer) {
        byte[] shared = answer == null ? null : decoded(answer.toString());
        if (shared == null) {
            if (!warned) LOG.atWarn().log("the key of job ids in Redis is none: this router signs with its own");
            warned = true;
            return false;
        }
        warned = false;
        if (keys.signWith(shared) && agreed) {
            LOG.atWarn().log("Redis has another key for job ids than it had: both are believed by this router");
        }
        agreed = true;
        return true;
    }

    private boolean unanswered(Throwable failure) {
        if (!agreed && !warned) {
            warned = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, failure.toString())
                    .log("no key for job ids from Redis: until it answers only this router knows its ids, and only"
                            + " while it runs; set security.jobKeyFile to do without Redis");
        }
        return false;
    }

    private static byte @Nullable [] decoded(String text) {
        try {
            byte[] key = Base64.getDecoder().decode(text);
            return key.length < JobKeys.LEAST_BYTES ? null : key;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
