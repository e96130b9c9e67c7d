package dev.penstock.kit.claims;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.model.ClaimRecord;
import dev.penstock.model.Header;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.ClaimCodec;
import dev.penstock.wire.MalformedRecordException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance's part in a single-writer role. The latest claim in {@code penstock.claims} owns the role, and its offset is
 * the epoch that the owner's records carry, so that readers can drop what a displaced owner still sends. A claim is made
 * when nobody live has the role, and it counts once it was read back. Everything happens on the context that started it.
 *
 * <p>Losing Kafka or Redis changes no owner: no claim can be written, or the members stay as they were.
 */
public final class ClaimHolder {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimHolder.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration SILENT = Duration.ofSeconds(3);
    private static final double JITTER = 0.2;
    private static final long CLOSE_MILLIS = 500;

    private final KafkaBus bus;
    private final Membership members;
    private final Incarnation self;
    private final String role;
    private final @Nullable String address;
    private final Listener listener;
    private final Context context;
    private final Vertx vertx;
    private @Nullable Subscription subscription;
    private @Nullable PeriodicTask task;
    private ClaimRule.@Nullable Standing standing;
    private boolean caughtUp;
    private boolean absent;
    private long absentNanos;
    private boolean claiming;
    private boolean owner;
    private boolean closed;
    private long sequence;
    private volatile long epoch = Header.NO_EPOCH;

    /** Told on the holder's context. */
    public interface Listener {
        /** From here on this instance writes, with this epoch. */
        void gained(long epoch);

        /** Somebody else does. */
        void lost();
    }

    private ClaimHolder(
            Vertx vertx,
            KafkaBus bus,
            Membership members,
            Incarnation self,
            String role,
            @Nullable String address,
            Listener listener) {
        this.vertx = vertx;
        this.bus = bus;
        this.members = members;
        this.self = self;
        this.role = role;
        this.address = address;
        this.listener = listener;
        this.context = vertx.getOrCreateContext();
    }

    public static ClaimHolder start(
            Vertx vertx, KafkaBus bus, Membership members, Incarnation self, String role, Listener listener) {
        return start(vertx, bus, members, self, role, null, listener);
    }

    /**
     * The same for a role whose owner is called.
     *
     * @param address {@code host:port}, told by the claim
     */
    public static ClaimHolder start(
            Vertx vertx,
            KafkaBus bus,
            Membership members,
            Incarnation self,
            String role,
            @Nullable String address,
            Listener listener) {
        ClaimHolder holder = new ClaimHolder(vertx, bus, members, self, role, address, listener);
        holder.context.runOnContext(begin -> holder.begin());
        return holder;
    }

    /** The epoch of this instance's claim while it owns the role, else {@link Header#NO_EPOCH}; from any thread. */
    public long epoch() {
        return epoch;
    }

    public boolean owns() {
        return epoch != Header.NO_EPOCH;
    }

    /** Gives the role up, so that the others need not wait for this instance to be missed. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(end -> {
            closed = true;
            if (task != null) task.close();
            boolean held = owner;
            if (owner) lose();
            Future<?> released = held ? publish(true) : Future.succeededFuture();
            released.timeout(CLOSE_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS)
                    .transform(told -> subscription == null ? Future.succeededFuture() : subscription.close())
                    .onComplete(ended -> done.complete());
        });
        return done.future();
    }

    private void begin() {
        if (closed) return;
        subscription = bus.subscribeWithOffsets(List.of(Topics.CLAIMS), this::record, () -> caughtUp = true);
        task = PeriodicTask.start(vertx, "claim of " + role, LOOK, JITTER, this::look);
    }

    private void look() {
        if (closed || !caughtUp || claiming) return;
        if (!silentLongEnough() || !ClaimRule.shouldClaim(role, self.memberId(), members.live(), standing)) return;
        claiming = true;
        publish(false).onFailure(failure -> {
            claiming = false;
            LOG.atWarn()
                    .addKeyValue(LogKeys.ROLE, role)
                    .addKeyValue(LogKeys.ERROR, failure.getMessage())
                    .log("claim not stored, trying again");
        });
    }

    /** Collectors are out of the list after 600 ms without a beat: too soon to take a role from one. */
    private boolean silentLongEnough() {
        ClaimRule.Standing now = standing;
        if (now == null || now.released() || members.live().contains(now.memberId())) {
            absent = false;
            return true;
        }
        if (!absent) absentNanos = System.nanoTime();
        absent = true;
        return System.nanoTime() - absentNanos + members.liveWindow().toNanos() >= SILENT.toNanos();
    }

    private Future<Void> publish(boolean released) {
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, System.nanoTime());
        return bus.publish(Topics.CLAIMS, 0, role, ClaimCodec.encode(new ClaimRecord(header, role, released, address)));
    }

    private void record(TopicSpec topic, String key, byte @Nullable [] value, long offset, long receiveNanos) {
        if (closed || value == null || !key.equals(role)) return;
        try {
            ClaimRecord claim = ClaimCodec.decode(value);
            Header header = claim.header();
            String memberId = new Incarnation(header.producer(), header.incarnation()).memberId();
            // Also a late release of an earlier owner ends what a later one has: compaction leaves nothing but that
            // release, and
            // who starts after it would not find the owner.
            standing = new ClaimRule.Standing(memberId, offset, claim.released());
        } catch (MalformedRecordException e) {
            LOG.atWarn().addKeyValue(LogKeys.ERROR, e.getMessage()).log("claim skipped");
            return;
        }
        judge();
    }

    private void judge() {
        ClaimRule.Standing now = standing;
        if (now == null) return;
        boolean mine = now.memberId().equals(self.memberId()) && !now.released();
        if (mine) claiming = false;
        if (mine && (!owner || epoch != now.epoch())) {
            owner = true;
            epoch = now.epoch();
            LOG.atInfo()
                    .addKeyValue(LogKeys.ROLE, role)
                    .addKeyValue(LogKeys.EPOCH, epoch)
                    .log("role gained");
            listener.gained(epoch);
        } else if (!mine && owner) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.ROLE, role)
                    .addKeyValue(LogKeys.NEW, now.memberId())
                    .addKeyValue(LogKeys.EPOCH, now.epoch())
                    .log("role lost");
            lose();
        }
        if (!mine) claiming = false;
    }

    private void lose() {
        owner = false;
        epoch = Header.NO_EPOCH;
        listener.lost();
    }
}
