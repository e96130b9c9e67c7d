package dev.penstock.router.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.model.Replica;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ids that clients get, and reads them again. One event loop's: a {@link Mac} has state.
 *
 * <pre>
 *   prefix of the kind, then base64url without padding of
 *   version 1 (1 byte) | replica number (4) | sum of its uid (4) | engine's id (1 to 512) | MAC (16)
 *
 *   MAC = first 16 bytes of HMAC-SHA256 over kind (1) | length of the tenant (2) | tenant | everything before the MAC
 * </pre>
 *
 * An id that was made for another tenant or kind is refused like one that was made up: who asks learns nothing from it.
 */
public final class JobIds {
    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 9;
    private static final int MAC_BYTES = 16;
    private static final int DIGEST_BYTES = 32;
    private static final int LONGEST_BYTES = HEAD_BYTES + JobId.LONGEST_ENGINE_ID + MAC_BYTES;
    private static final int SHORTEST_BYTES = HEAD_BYTES + 1 + MAC_BYTES;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final JobKeys keys;
    private final byte[] digest = new byte[DIGEST_BYTES];
    private List<SecretKeySpec> known = List.of();
    private Mac[] macs = {};

    public JobIds(JobKeys keys) {
        this.keys = keys;
    }

    /** Our id for what an engine calls so, or null where its id can't be carried. */
    @Nullable
    String of(JobKind kind, String tenant, Replica replica, byte[] engineId, int length) {
        if (!JobId.sound(engineId, length)) return null;
        int bodyBytes = HEAD_BYTES + length;
        byte[] bytes = new byte[bodyBytes + MAC_BYTES];
        ByteBuffer.wrap(bytes)
                .put(VERSION)
                .putInt(replica.number())
                .putInt(JobId.uidSum(replica.uid()))
                .put(engineId, 0, length);
        mac(current()[0], kind, tenant, bytes, bodyBytes);
        System.arraycopy(digest, 0, bytes, bodyBytes, MAC_BYTES);
        return kind.prefix() + ENCODER.encodeToString(bytes);
    }

    String of(JobId id, String tenant, Replica replica) {
        byte[] engineId = id.engineId().getBytes(StandardCharsets.US_ASCII);
        String text = of(id.kind(), tenant, replica, engineId, engineId.length);
        if (text == null) throw new IllegalArgumentException("engine id: " + id.engineId() + ", expected a sound one");
        return text;
    }

    /** What an id says that this tenant was given for one of this kind; null for everything else. */
    @Nullable
    JobId read(JobKind kind, String tenant, String text) {
        int longest = kind.prefix().length() + (LONGEST_BYTES * 4 + 2) / 3;
        if (text.length() > longest || !text.startsWith(kind.prefix())) return null;
        byte[] bytes = decoded(text.substring(kind.prefix().length()));
        if (bytes == null || bytes.length < SHORTEST_BYTES || bytes[0] != VERSION) return null;
        int bodyBytes = bytes.length - MAC_BYTES;
        if (!authentic(kind, tenant, bytes, bodyBytes)) return null;
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bodyBytes - 1);
        int replica = in.getInt();
        int uidSum = in.getInt();
        return new JobId(
                kind,
                replica,
                uidSum,
                new String(bytes, HEAD_BYTES, bodyBytes - HEAD_BYTES, StandardCharsets.US_ASCII));
    }

    /** Only the one spelling that we use: the last character has bits that a decoder overlooks. */
    private static byte @Nullable [] decoded(String text) {
        try {
            byte[] bytes = DECODER.decode(text);
            return ENCODER.encodeToString(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private boolean authentic(JobKind kind, String tenant, byte[] bytes, int bodyBytes) {
        byte[] shown = Arrays.copyOfRange(bytes, bodyBytes, bytes.length);
        boolean authentic = false;
        for (Mac mac : current()) {
            mac(mac, kind, tenant, bytes, bodyBytes);
            authentic |= MessageDigest.isEqual(shown, Arrays.copyOf(digest, MAC_BYTES));
        }
        return authentic;
    }

    private void mac(Mac mac, JobKind kind, String tenant, byte[] bytes, int length) {
        byte[] name = tenant.getBytes(UTF_8);
        mac.update((byte) kind.ordinal());
        mac.update((byte) (name.length >>> 8));
        mac.update((byte) name.length);
        mac.update(name);
        mac.update(bytes, 0, length);
        try {
            mac.doFinal(digest, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private Mac[] current() {
        List<SecretKeySpec> now = keys.all();
        if (now != known) {
            Mac[] made = new Mac[now.size()];
            for (int i = 0; i < made.length; i++) made[i] = mac(now.get(i));
            macs = made;
            known = now;
        }
        return macs;
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(JobKeys.ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
