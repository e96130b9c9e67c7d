package dev.penstock.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.session.SessionKey;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.SessionNames;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionRuleTest {
    @Test
    void header_comes_before_field_and_earlier_field_before_later() {
        assertThat(key(Map.of("x-session-id", "h"), Map.of("user", "u"))).isEqualTo(SessionKey.of("m", "h"));
        assertThat(key(Map.of(), Map.of("session_id", "s", "user", "u"))).isEqualTo(SessionKey.of("m", "u"));
        assertThat(key(Map.of(), Map.of("session_id", "s"))).isEqualTo(SessionKey.of("m", "s"));
    }

    @Test
    void empty_counts_as_not_there() {
        assertThat(key(Map.of("x-session-id", ""), Map.of("user", "", "session_id", "s")))
                .isEqualTo(SessionKey.of("m", "s"));
        assertThat(key(Map.of(), Map.of())).isEqualTo(SessionKey.NONE);
        assertThat(key(Map.of("x-session-id", ""), Map.of())).isEqualTo(SessionKey.NONE);
    }

    @Test
    void any_value_is_opaque() {
        for (String value : List.of("x".repeat(100_000), "a\r\nb", "你", " ", "\ud800")) {
            assertThat(key(Map.of("x-session-id", value), Map.of()))
                    .isEqualTo(SessionKey.of("m", value))
                    .isNotEqualTo(SessionKey.NONE);
        }
    }

    @Test
    void policy_changes_the_names_of_its_model() {
        ModelSessions sessions = new ModelSessions(List.of(ModelConfig.ofDefaults("m")));
        SessionNames chat = new SessionNames(List.of("x-chat"), List.of());

        sessions.apply(policy(chat, false));
        assertThat(sessions.of("m")).isEqualTo(chat);
        sessions.apply(policy(null, false));
        assertThat(sessions.of("m")).isEqualTo(chat);
        sessions.apply(policy(null, true));

        assertThat(sessions.of("m")).isEqualTo(SessionNames.DEFAULT);
        assertThat(sessions.of("other")).isEqualTo(SessionNames.DEFAULT);
    }

    private static PolicyRecord policy(@Nullable SessionNames session, boolean gone) {
        return new PolicyRecord(
                new Header("admission", 1, 0, 7, 0),
                "m",
                List.of(),
                new PolicyRecord.Strategies("load-balance", null, null, List.of(), null, session, "", null, null),
                null,
                2,
                List.of(),
                3,
                gone);
    }

    private static long key(Map<String, String> headers, Map<String, String> fields) {
        return SessionRule.key("m", SessionNames.DEFAULT, headers::get, fields::get);
    }
}
