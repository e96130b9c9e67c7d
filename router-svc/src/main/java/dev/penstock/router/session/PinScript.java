package dev.penstock.router.session;

import dev.penstock.core.session.SessionKey;
import dev.penstock.model.RedisKeys;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One proposal and its answer, in one script: compare the owner, set, tell everybody. Uses commands of Redis 6.2.
 *
 * <pre>
 *   stored owner            proposed old -> new   becomes            told
 *   none                    any                   new, version + 1   yes
 *   new                     any                   new                yes: the renewal counts for all routers
 *   old                     old -> new            new, version + 1   yes
 *   another                 old -> new            stays              no: the proposer is answered
 * </pre>
 *
 * The version goes on from the highest that Redis or the proposer knows, so that routers believe a Redis that came back with
 * less than it had.
 */
final class PinScript {
    private static final String SCRIPT = """
        local owner, version = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+):(%d+)$')
        local stored = tonumber(version or '0')
        local known = tonumber(ARGV[3])
        local to = ARGV[2]
        local now
        if owner == to then
          now = math.max(stored, known)
        elseif owner and owner ~= ARGV[1] then
          to = owner
          if known < stored then return to .. ':' .. version end
          now = known + 1
        else
          now = math.max(stored, known) + 1
        end
        version = string.format('%.0f', now)
        redis.call('SET', KEYS[1], to .. ':' .. version, 'PX', ARGV[4])
        redis.call('PUBLISH', ARGV[5], ARGV[6] .. ' ' .. to .. ' ' .. version)
        return to .. ':' .. version
        """;

    private PinScript() {}

    static Request of(Proposal proposal, Duration ttl) {
        String hash = SessionKey.hex(proposal.key());
        return Request.cmd(Command.EVAL)
                .arg(SCRIPT)
                .arg(1)
                .arg(RedisKeys.pin(proposal.model(), hash))
                .arg(proposal.oldOwner())
                .arg(proposal.newOwner())
                .arg(proposal.version())
                .arg(ttl.toMillis())
                .arg(RedisKeys.PINS_CHANNEL)
                .arg(hash);
    }

    static @Nullable PinValue answer(@Nullable Response response) {
        return response == null ? null : PinValue.parse(response.toString());
    }
}
