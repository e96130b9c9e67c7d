package dev.penstock.router.fleet;

import dev.penstock.model.InflightVector;
import dev.penstock.router.config.ManagementUrl;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the other routers are managed, as their full in-flight vectors say: nothing that a client wrote gets here. A router
 * is forgotten when it was silent for 60 s, as Kafka forgets its vectors. The view's context writes, management pages read.
 */
public final class PeerAddresses {
    public static final int FORGOTTEN_SECONDS = 60;

    private static final long FORGOTTEN_NANOS = FORGOTTEN_SECONDS * 1_000_000_000L;
    private static final int MOST_PEERS = 256;
    private static final int MOST_PAST_LIVES = 8;

    private final String own;
    private final Map<String, Peer> byName = new HashMap<>();

    /** What is known of a router by its name. */
    public sealed interface Found {
        record At(ManagementUrl url) implements Found {}

        /** It runs and does not tell where: an older version, or one that is starting. */
        record Untold() implements Found {}

        record Unknown() implements Found {}
    }

    private static final class Peer {
        final Set<Long> pastLives = new LinkedHashSet<>();
        long incarnation;

        @Nullable
        ManagementUrl url;

        long heardNanos;

        /** A process that woke beside its successor, or a record that was long on its way, is no new start. */
        boolean outdated(long incarnation) {
            return pastLives.contains(incarnation);
        }

        void live(long incarnation) {
            if (incarnation == this.incarnation) return;
            pastLives.add(this.incarnation);
            if (pastLives.size() > MOST_PAST_LIVES) {
                pastLives.remove(pastLives.iterator().next());
            }
            this.incarnation = incarnation;
        }
    }

    /** @param own name of this router, which is no peer */
    public PeerAddresses(String own) {
        this.own = own;
    }

    /** Only full vectors tell. */
    public synchronized void heard(InflightVector vector, long nowNanos) {
        String name = vector.header().producer();
        if (!vector.full() || name.equals(own)) return;
        long incarnation = vector.header().incarnation();
        Peer peer = recent(name, nowNanos);
        if (peer == null) {
            makeRoom(nowNanos);
            peer = new Peer();
            peer.incarnation = incarnation;
            byName.put(name, peer);
        }
        if (peer.outdated(incarnation)) return;
        peer.live(incarnation);
        String url = vector.managementUrl();
        peer.url = url == null ? null : ManagementUrl.parse(url);
        peer.heardNanos = nowNanos;
    }

    public synchronized Found find(String name, long nowNanos) {
        Peer peer = recent(name, nowNanos);
        if (peer == null) return new Found.Unknown();
        return peer.url == null ? new Found.Untold() : new Found.At(peer.url);
    }

    /** Who was heard lately, in order. */
    public synchronized Set<String> names(long nowNanos) {
        forgetSilent(nowNanos);
        return new TreeSet<>(byName.keySet());
    }

    private @Nullable Peer recent(String name, long nowNanos) {
        Peer peer = byName.get(name);
        if (peer == null || !silent(peer, nowNanos)) return peer;
        byName.remove(name);
        return null;
    }

    /** Whoever was silent for longest gives way. */
    private void makeRoom(long nowNanos) {
        if (byName.size() < MOST_PEERS) return;
        forgetSilent(nowNanos);
        if (byName.size() < MOST_PEERS) return;
        byName.entrySet().stream()
                .max((a, b) -> Long.compare(nowNanos - a.getValue().heardNanos, nowNanos - b.getValue().heardNanos))
                .ifPresent(longest -> byName.remove(longest.getKey()));
    }

    private void forgetSilent(long nowNanos) {
        byName.values().removeIf(peer -> silent(peer, nowNanos));
    }

    private static boolean silent(Peer peer, long nowNanos) {
        return nowNanos - peer.heardNanos > FORGOTTEN_NANOS;
    }
}
