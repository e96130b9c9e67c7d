package dev.penstock.router.job;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Replica;
import java.util.Base64;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;

/** What an id says comes back for its tenant and kind, and for nobody else; nothing that was not made here says anything. */
class JobIdsProperties {
    private final JobIds ids = new JobIds(new JobKeys(key(1)));

    @Property(seed = "1")
    void what_was_put_in_comes_out(
            @ForAll JobKind kind,
            @ForAll @StringLength(max = 300) String tenant,
            @ForAll int number,
            @ForAll @StringLength(max = 40) String uid,
            @ForAll @From("engineIds") String engineId) {
        Replica replica = replica(number, uid);

        String id = of(ids, kind, tenant, replica, engineId);

        assertThat(id).startsWith(kind.prefix()).matches("[A-Za-z0-9_-]+").hasSizeLessThan(730);
        JobId read = ids.read(kind, tenant, String.valueOf(id));
        assertThat(read).isEqualTo(new JobId(kind, number, JobId.uidSum(uid), engineId));
        assertThat(read != null && read.isOf(replica)).isTrue();
    }

    @Property(seed = "1")
    void one_bit_that_differs_makes_it_none(
            @ForAll JobKind kind,
            @ForAll @From("engineIds") String engineId,
            @ForAll @IntRange(max = 1 << 20) int bit) {
        String id = String.valueOf(of(ids, kind, "t", replica(7, "u"), engineId));
        byte[] bytes = Base64.getUrlDecoder().decode(id.substring(kind.prefix().length()));
        int at = bit % (bytes.length * 8);
        bytes[at / 8] ^= (byte) (1 << at % 8);

        String changed = kind.prefix() + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);

        assertThat(ids.read(kind, "t", changed)).isNull();
    }

    @Property(seed = "1")
    void one_character_that_differs_makes_it_none(
            @ForAll @From("engineIds") String engineId, @ForAll @IntRange(max = 1 << 20) int place, @ForAll char with) {
        String id = String.valueOf(of(ids, JobKind.VIDEO, "t", replica(7, "u"), engineId));
        int at = place % id.length();
        String changed = id.substring(0, at) + with + id.substring(at + 1);
        if (changed.equals(id)) return;

        assertThat(ids.read(JobKind.VIDEO, "t", changed)).isNull();
        assertThat(ids.read(JobKind.VIDEO, "t", id.substring(0, at))).isNull();
    }

    @Property(seed = "1")
    void another_tenant_is_told_nothing(
            @ForAll @StringLength(max = 20) String tenant,
            @ForAll @StringLength(max = 20) String other,
            @ForAll @From("engineIds") String engineId) {
        if (tenant.equals(other)) return;

        assertThat(ids.read(
                        JobKind.VIDEO,
                        other,
                        String.valueOf(of(ids, JobKind.VIDEO, tenant, replica(7, "u"), engineId))))
                .isNull();
    }

    @Property(seed = "1")
    void another_kind_is_told_nothing(@ForAll @From("engineIds") String engineId) {
        String id = String.valueOf(of(ids, JobKind.VIDEO, "t", replica(7, "u"), engineId));

        String disguised = "resp_" + id.substring("video_".length());

        assertThat(ids.read(JobKind.RESPONSE, "t", disguised)).isNull();
        assertThat(ids.read(JobKind.RESPONSE, "t", id)).isNull();
    }

    @Property(seed = "1")
    void another_key_is_told_nothing(@ForAll @From("engineIds") String engineId) {
        JobIds others = new JobIds(new JobKeys(key(2)));

        assertThat(others.read(
                        JobKind.VIDEO, "t", String.valueOf(of(ids, JobKind.VIDEO, "t", replica(7, "u"), engineId))))
                .isNull();
    }

    @Property(seed = "1")
    void garbage_is_none(@ForAll JobKind kind, @ForAll String text) {
        assertThat(ids.read(kind, "t", text)).isNull();
        assertThat(ids.read(kind, "t", kind.prefix() + text)).isNull();
    }

    @Property(seed = "1")
    void bytes_that_were_not_signed_are_none(@ForAll JobKind kind, @ForAll byte[] bytes) {
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);

        assertThat(ids.read(kind, "t", kind.prefix() + text)).isNull();
    }

    @Provide
    Arbitrary<String> engineIds() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .withChars("-_~:")
                .ofMinLength(1)
                .ofMaxLength(JobId.LONGEST_ENGINE_ID);
    }

    static @Nullable String of(JobIds ids, JobKind kind, String tenant, Replica replica, String engineId) {
        byte[] bytes = engineId.getBytes(US_ASCII);
        return ids.of(kind, tenant, replica, bytes, bytes.length);
    }

    static Replica replica(int number, String uid) {
        return Replica.serving("org/m", "u-" + number, number, uid, "http://127.0.0.1:1");
    }

    static byte[] key(int seed) {
        byte[] key = new byte[JobKeys.LEAST_BYTES];
        key[0] = (byte) seed;
        return key;
    }
}
