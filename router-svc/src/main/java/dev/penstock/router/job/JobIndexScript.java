package dev.penstock.router.job;

import dev.penstock.model.RedisKeys;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;

/**
 * A tenant's index, which is a sorted set of ids by when they were made, in microseconds of Redis' own clock, and a hash of
 * what is known of each. Each script drops what is too old and what is too much. Uses commands of Redis 6.2.
 */
final class JobIndexScript {
    static final Duration TTL = Duration.ofHours(24);
    static final int MOST_JOBS = 1_000;

    private static final String TRIM = """
        local t = redis.call('TIME')
        local now = t[1] * 1000000 + t[2]
        local function drop(ids)
          for _, id in ipairs(ids) do
            redis.call('ZREM', KEYS[1], id)
            redis.call('HDEL', KEYS[2], id)
          end
        end
        local function trim()
          drop(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[1] * 1000)))
          local over = redis.call('ZCARD', KEYS[1]) - ARGV[2]
          if over > 0 then drop(redis.call('ZRANGE', KEYS[1], 0, over - 1)) end
        end
        """;

    private static final String ADD = TRIM + """
        redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[3])
        redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
        trim()
        redis.call('PEXPIRE', KEYS[1], ARGV[1])
        redis.call('PEXPIRE', KEYS[2], ARGV[1])
        return 1
        """;

    private static final String REMOVE = TRIM + """
        drop({ARGV[3]})
        return 1
        """;

    /** Returns nothing at all for a place that is not there, else ids and what is known of each. */
    private static final String LIST = TRIM + """
        trim()
        local rising = ARGV[5] == 'asc'
        local from = 0
        if ARGV[3] ~= '' then
          local rank = redis.call(rising and 'ZRANK' or 'ZREVRANK', KEYS[1], ARGV[3])
          if not rank then return false end
          from = rank + 1
        end
        local ids = redis.call(rising and 'ZRANGE' or 'ZREVRANGE', KEYS[1], from, from + ARGV[4] - 1)
        if #ids == 0 then return {{}, {}} end
        return {ids, redis.call('HMGET', KEYS[2], unpack(ids))}
        """;

    private JobIndexScript() {}

    static Request add(String tenant, JobEntry entry) {
        return script(ADD, tenant).arg(entry.id()).arg(entry.json());
    }

    static Request remove(String tenant, String id) {
        return script(REMOVE, tenant).arg(id);
    }

    /** @param after an id, or empty for the first */
    static Request list(String tenant, String after, int most, boolean rising) {
        return script(LIST, tenant).arg(after).arg(most).arg(rising ? "asc" : "desc");
    }

    private static Request script(String text, String tenant) {
        return Request.cmd(Command.EVAL)
                .arg(text)
                .arg(2)
                .arg(RedisKeys.jobs(tenant))
                .arg(RedisKeys.jobData(tenant))
                .arg(TTL.toMillis())
                .arg(MOST_JOBS);
    }
}
