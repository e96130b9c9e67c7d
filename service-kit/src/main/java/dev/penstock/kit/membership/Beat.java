package dev.penstock.kit.membership;

import dev.penstock.model.RedisKeys;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One heartbeat and the list it returns, in one script: Redis' own clock is the only one that members share. Uses
 * commands of Redis 6.2.
 */
final class Beat {
    private static final Duration PRUNE = Duration.ofMinutes(10);
    private static final String SCRIPT = """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1]) end
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[3]))
        return redis.call('ZRANGEBYSCORE', KEYS[1], string.format('%.0f', now - ARGV[2]), '+inf')
        """;

    private Beat() {}

    /** @param memberId null = only looks */
    static Request of(String service, @Nullable String memberId, Duration live) {
        return Request.cmd(Command.EVAL)
                .arg(SCRIPT)
                .arg(1)
                .arg(RedisKeys.members(service))
                .arg(memberId == null ? "" : memberId)
                .arg(live.toMillis())
                .arg(PRUNE.toMillis());
    }

    static Request leave(String service, String memberId) {
        return Request.cmd(Command.ZREM).arg(RedisKeys.members(service)).arg(memberId);
    }

    /** Sorted, so that the same members make the same list. */
    static List<String> members(@Nullable Response answer) {
        if (answer == null) return List.of();
        return StreamSupport.stream(answer.spliterator(), false)
                .map(Response::toString)
                .sorted()
                .toList();
    }
}
