package dev.penstock.router.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.PrefixMode;
import dev.penstock.model.SessionNames;
import dev.penstock.router.session.ModelSessions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a model's policy says of affinities, and that nothing of it stays when the model is gone. */
class ModelPrefixesTest {
    private static final SessionNames NAMES = new SessionNames(List.of(), List.of("conversation"));
    private static final LoadTerms TERMS = new LoadTerms(1, 0, 0.5);

    private final ModelPrefixes modes = new ModelPrefixes(List.of());
    private final ModelSessions sessions = new ModelSessions(List.of());

    @Test
    void a_policy_holds_until_the_model_is_gone() {
        apply(policy(
                new PolicyRecord.Strategies("", null, null, List.of(), null, NAMES, "events", TERMS, null), false));
        assertThat(modes.of("m")).isEqualTo(PrefixMode.EVENTS);
        assertThat(sessions.of("m")).isEqualTo(NAMES);
        assertThat(sessions.fields()).contains("conversation");

        // A writer that knows of none of this.
        apply(policy(PolicyRecord.Strategies.NONE, false));
        assertThat(modes.of("m")).isEqualTo(PrefixMode.EVENTS);
        assertThat(sessions.of("m")).isEqualTo(NAMES);
        assertThat(policy(PolicyRecord.Strategies.NONE, false).loadTerms()).isNull();

        apply(policy(PolicyRecord.Strategies.NONE, true));
        assertThat(modes.of("m")).isEqualTo(PrefixMode.APPROXIMATE);
        assertThat(sessions.of("m")).isEqualTo(SessionNames.DEFAULT);
        assertThat(sessions.fields()).doesNotContain("conversation");
        assertThat(policy(PolicyRecord.Strategies.NONE, true).loadTerms()).isEqualTo(LoadTerms.DEFAULT);
    }

    private void apply(PolicyRecord policy) {
        modes.apply(policy);
        sessions.apply(policy);
    }

    private static PolicyRecord policy(PolicyRecord.Strategies strategies, boolean gone) {
        return named("m", strategies, gone);
    }

    private static PolicyRecord named(String model, PolicyRecord.Strategies strategies, boolean gone) {
        return new PolicyRecord(
                new Header("admission", 1, 1, Header.NO_EPOCH, 0),
                model,
                List.of(),
                strategies,
                null,
                1,
                List.of(),
                1,
                gone);
    }
}
