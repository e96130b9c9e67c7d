package dev.penstock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ConfigurationDocTest {
    private static final String MODULE = "tools/system-tests/pom.xml";

    private final ConfigurationDoc generated = ConfigurationDoc.ofRecords();

    @Test
    void everyKeyIsDescribedAndNoOther() {
        assertThat(generated.undescribed())
                .as("keys without a description: add them to ConfigurationDoc.DESCRIPTIONS")
                .isEmpty();
        assertThat(generated.describedInVain())
                .as("descriptions of keys that no service reads: remove them from ConfigurationDoc.DESCRIPTIONS")
                .isEmpty();
    }

    @Test
    void theDocumentIsWhatTheRecordsSay() throws IOException {
        DocFile document = DocFile.named("configuration.md");
        String text = generated.render();
        if (Boolean.getBoolean("docs.write")) document.write(text);
        assertThat(document.text())
                .as("docs/configuration.md is not what the records say; write it anew: mvn -B -f " + MODULE
                        + " verify -Dtest=ConfigurationDocTest -Ddocs.write=true")
                .isEqualTo(text);
    }
}
