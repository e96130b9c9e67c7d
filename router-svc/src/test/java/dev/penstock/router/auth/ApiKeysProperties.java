package dev.penstock.router.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kit.config.TokenConfig;
import dev.penstock.router.auth.Access.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ApiKeysProperties {
    @Property(tries = 50, seed = "1")
    void each_key_is_its_own_tenants_and_nobody_elses(
            @ForAll @Size(min = 1, max = 30) Set<@From("keys") String> keys, @ForAll("keys") String stranger) {
        LocalAuthenticator local = with(keys);

        int i = 0;
        for (String key : keys) {
            assertThat(local.check(null, key, null, 0)).isEqualTo(granted("t" + i));
            assertThat(local.check("Bearer " + key, null, null, 0)).isEqualTo(granted("t" + i));
            i++;
        }
        if (!keys.contains(stranger)) {
            assertThat(local.check(null, stranger, null, 0)).isEqualTo(Reason.UNKNOWN.refused());
        }
    }

    @Property(tries = 200, seed = "1")
    void a_key_that_is_cut_longer_or_changed_is_unknown(
            @ForAll("keys") String key, @ForAll("keys") String more, @ForAll @IntRange(min = 0, max = 62) int at) {
        LocalAuthenticator local = with(Set.of(key));
        int cut = 1 + at % (key.length() - 1);
        char other = key.charAt(cut) == 'a' ? 'b' : 'a';

        for (String wrong : List.of(
                key.substring(0, cut),
                key.substring(cut),
                key + more,
                more + key,
                key.substring(0, cut) + other + key.substring(cut + 1))) {
            assertThat(local.check(null, wrong, null, 0)).isEqualTo(Reason.UNKNOWN.refused());
        }
    }

    @Property(tries = 200, seed = "1")
    void whatever_the_headers_are_the_answer_is_one_of_ours(@ForAll String first, @ForAll String second) {
        LocalAuthenticator local = with(Set.of("the-key"));
        assumeTrue(!first.equals("the-key") && !second.equals("the-key"));

        assertThat(local.check(first, null, second, 0)).isInstanceOf(Access.Refused.class);
        assertThat(local.check("Bearer " + first, null, null, 0)).isInstanceOf(Access.Refused.class);
        assertThat(local.check(null, first, second, 0)).isInstanceOf(Access.Refused.class);
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings().withCharRange('!', '~').ofMinLength(2).ofMaxLength(64);
    }

    private static Access granted(String tenant) {
        return new Access.Granted(new Tenant(tenant, tenant, null));
    }

    private static LocalAuthenticator with(Set<String> keys) {
        List<String> entries = new ArrayList<>();
        for (String key : keys) entries.add(KeyFiles.entry("t" + entries.size(), key, ""));
        Faults faults = new Faults();
        ApiKeys table = ApiKeysFile.parse("keys:\n" + String.join("", entries), faults);
        assertThat(faults.list()).isEmpty();
        return Authenticator.of(new Credentials(table, TrustedKeys.NONE), TokenConfig.DEFAULT)
                .local();
    }
}
