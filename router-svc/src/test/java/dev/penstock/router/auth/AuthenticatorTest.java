package dev.penstock.router.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.router.auth.Access.Reason;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.Sha256;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class AuthenticatorTest {
    private static final long NOW = Instant.parse("2027-03-01T12:00:00Z").toEpochMilli();
    private static final String KEY = "psk_the-key-of-acme";

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    Path directory;

    private KeyFiles files;

    @BeforeEach
    void files() {
        files = new KeyFiles(directory);
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void detach() {
        logger().detachAppender(log);
    }

    @Test
    void without_files_everybody_is_the_default_tenant() throws Exception {
        Authenticator authenticator = KeyFiles.openAt("security: {}");

        assertThat(authenticator.isOpen()).isTrue();
        assertThat(authenticator).isSameAs(KeyFiles.openAt("{}"));
        LocalAuthenticator local = authenticator.local();
        Access nobody = local.check(null, null, null, NOW);
        assertThat(nobody).isEqualTo(new Access.Granted(Tenant.DEFAULT));
        assertThat(local.check("Basic what ever", "a", "b", NOW)).isSameAs(nobody);
        assertThat(Tenant.DEFAULT.allows("anything")).isTrue();
    }

    @Test
    void a_key_is_taken_in_each_of_its_headers() throws Exception {
        LocalAuthenticator local = acme();
        Access.Granted acme = new Access.Granted(new Tenant("acme", "acme", null));

        assertThat(local.check("Bearer " + KEY, null, null, NOW)).isEqualTo(acme);
        assertThat(local.check("bearer   " + KEY, null, null, NOW)).isEqualTo(acme);
        assertThat(local.check(null, KEY, null, NOW)).isEqualTo(acme);
        assertThat(local.check(null, null, KEY, NOW)).isEqualTo(acme);
        assertThat(local.check("Bearer " + KEY, KEY, KEY, NOW)).isEqualTo(acme);
        assertThat(local.check(MultiMap.caseInsensitiveMultiMap().add("X-API-Key", KEY), NOW))
                .isEqualTo(acme);
        assertThat(local.check(MultiMap.caseInsensitiveMultiMap().add("Authorization", "Bearer " + KEY), NOW))
                .isEqualTo(acme);
        assertThat(local.check(MultiMap.caseInsensitiveMultiMap().add("api-key", KEY), NOW))
                .isEqualTo(acme);
    }

    @Test
    void no_key_and_another_key_are_told_apart() throws Exception {
        LocalAuthenticator local = acme();

        assertThat(reason(local.check(null, null, null, NOW))).isEqualTo(Reason.MISSING);
        assertThat(reason(local.check("Bearer psk_another", null, null, NOW))).isEqualTo(Reason.UNKNOWN);
        // looks like a token, and no signer is trusted
        assertThat(reason(local.check("Bearer e30.e30.c2ln", null, null, NOW))).isEqualTo(Reason.UNKNOWN);
    }

    @Test
    void two_keys_that_differ_are_none() throws Exception {
        LocalAuthenticator local = acme();

        assertThat(reason(local.check("Bearer " + KEY, "psk_another", null, NOW)))
                .isEqualTo(Reason.MALFORMED);
        assertThat(reason(local.check("Bearer " + KEY, KEY, "psk_another", NOW)))
                .isEqualTo(Reason.MALFORMED);
        assertThat(reason(local.check(null, KEY, "psk_another", NOW))).isEqualTo(Reason.MALFORMED);
        assertThat(reason(local.check("Bearer " + KEY, KEY + "x", null, NOW))).isEqualTo(Reason.MALFORMED);
        assertThat(reason(local.check("Bearer " + KEY, "", null, NOW))).isEqualTo(Reason.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer   ",
                "Basic YWNtZTprZXk=",
                KEY,
                "Bearer two words",
                "Bearer caf\u00e9",
                "Bearer tab\there",
                "Bearer nul\0"
            })
    void what_is_no_bearer_is_malformed(String authorization) throws Exception {
        assertThat(reason(acme().check(authorization, null, null, NOW))).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void a_header_of_more_than_8_kib_is_not_hashed() throws Exception {
        LocalAuthenticator local = acme();

        assertThat(reason(local.check(null, "k".repeat(8192), null, NOW))).isEqualTo(Reason.UNKNOWN);
        assertThat(reason(local.check(null, "k".repeat(8193), null, NOW))).isEqualTo(Reason.MALFORMED);
        assertThat(reason(local.check("Bearer " + "k".repeat(8192), null, null, NOW)))
                .isEqualTo(Reason.MALFORMED);
    }

    @Test
    void tenants_have_several_keys_each_with_its_own_models() throws Exception {
        LocalAuthenticator local = files.apiKeys(
                        KeyFiles.entry("acme", "one", ", models: [llama, fast]"), KeyFiles.entry("acme", "two", ""))
                .open()
                .local();

        Tenant one = tenant(local.check(null, "one", null, NOW));
        assertThat(one.name()).isEqualTo("acme");
        assertThat(one.allows("llama")).isTrue();
        assertThat(one.allows("qwen")).isFalse();
        assertThat(one.allows("alias-of-llama", "llama")).isTrue();
        assertThat(one.allows("fast", "qwen")).isTrue();
        assertThat(one.allows("qwen", "qwen-72b")).isFalse();
        assertThat(tenant(local.check(null, "two", null, NOW)).allows("qwen")).isTrue();
    }

    @Test
    void a_key_ends_after_its_last_day_or_at_its_time() throws Exception {
        LocalAuthenticator local = files.apiKeys(
                        KeyFiles.entry("a", "day", ", expires: 2027-03-01"),
                        KeyFiles.entry("a", "time", ", expires: '2027-03-01T12:00:00Z'"))
                .open()
                .local();
        long midnight = Instant.parse("2027-03-02T00:00:00Z").toEpochMilli();

        assertThat(local.check(null, "day", null, midnight - 1)).isInstanceOf(Access.Granted.class);
        assertThat(reason(local.check(null, "day", null, midnight))).isEqualTo(Reason.EXPIRED);
        assertThat(local.check(null, "time", null, NOW - 1)).isInstanceOf(Access.Granted.class);
        assertThat(reason(local.check(null, "time", null, NOW))).isEqualTo(Reason.EXPIRED);
    }

    @Test
    void a_changed_file_counts_from_the_next_request_on() throws Exception {
        Authenticator authenticator =
                files.apiKeys(KeyFiles.entry("acme", KEY, "")).open();
        LocalAuthenticator local = authenticator.local();

        files.apiKeys(KeyFiles.entry("other-co", "new", ""));
        authenticator.reload();

        assertThat(reason(local.check(null, KEY, null, NOW))).isEqualTo(Reason.UNKNOWN);
        assertThat(tenant(local.check(null, "new", null, NOW)).name()).isEqualTo("other-co");
    }

    @Test
    void a_file_that_breaks_leaves_the_old_keys_and_one_line_in_the_log() throws Exception {
        Authenticator authenticator =
                files.apiKeys(KeyFiles.entry("acme", KEY, "")).open();
        LocalAuthenticator local = authenticator.local();

        files.apiKeysText("keys:\n  - {tenant: acme, sha256: psk_pasted-by-mistake}\n");
        authenticator.reload();
        authenticator.reload();

        assertThat(local.check(null, KEY, null, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(errors())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("apiKeysFile", "keys.yaml", "keys[0].sha256 is a text of 21 characters, expected the key's")
                .doesNotContain("pasted");

        files.apiKeys(KeyFiles.entry("acme", "mended", ""));
        authenticator.reload();
        assertThat(local.check(null, "mended", null, NOW)).isInstanceOf(Access.Granted.class);
    }

    @Test
    void a_file_that_is_gone_leaves_the_old_keys_until_it_is_back() throws Exception {
        Authenticator authenticator =
                files.apiKeys(KeyFiles.entry("acme", KEY, "")).open();
        LocalAuthenticator local = authenticator.local();

        files.removeApiKeys();
        authenticator.reload();
        authenticator.reload();
        assertThat(local.check(null, KEY, null, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(errors()).hasSize(1);

        files.apiKeys(KeyFiles.entry("acme", "other", ""));
        authenticator.reload();
        assertThat(reason(local.check(null, KEY, null, NOW))).isEqualTo(Reason.UNKNOWN);
    }

    @Test
    void the_files_are_watched() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Authenticator authenticator =
                    files.apiKeys(KeyFiles.entry("acme", KEY, "")).open();
            PeriodicTask watch = authenticator.watch(vertx);
            LocalAuthenticator local = authenticator.local();
            files.apiKeys(KeyFiles.entry("acme", "next", ""));

            Await.until(
                    "the new key is known",
                    Duration.ofSeconds(10),
                    () -> local.check(null, "next", null, NOW) instanceof Access.Granted);
            if (watch != null) watch.close();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_start_with_wrong_files_reports_all_that_is_wrong() {
        files.apiKeysText("keys: [{tenant: acme}, {sha256: 12}]").jwks("{\"keys\": []}");

        assertThatThrownBy(files::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security.apiKeysFile: ")
                .hasMessageContaining("keys[0].sha256 is missing, expected ")
                .hasMessageContaining("keys[1].tenant is missing, expected ")
                .hasMessageContaining("keys[1].sha256 is a number, expected ")
                .hasMessageContaining("security.jwksFile: ")
                .hasMessageContaining("keys is a list without a usable key, expected RSA");
    }

    @Test
    void a_start_without_the_file_is_refused() {
        assertThatThrownBy(() -> KeyFiles.openAt("security: {apiKeysFile: " + directory + "/none.yaml}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.yaml: the file is not readable (NoSuchFileException), expected a file");
        assertThatThrownBy(() -> KeyFiles.openAt("security: {jwksFile: " + directory + "}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security.jwksFile");
        assertThatThrownBy(() -> KeyFiles.openAt("security: {apiKeysFile: ' '}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security.apiKeysFile: blank");
    }

    @Test
    void no_text_of_ours_has_a_key_or_its_hash() throws Exception {
        Authenticator authenticator =
                files.apiKeys(KeyFiles.entry("acme", KEY, "")).open();
        LocalAuthenticator local = authenticator.local();
        Access granted = local.check(null, KEY, null, NOW);
        Access refused = local.check(null, KEY + "x", null, NOW);
        Throwable start = catchThrowable(
                () -> files.apiKeysText("keys: [{tenant: " + KEY + ", sha256: " + KEY + ", " + KEY + ": " + KEY + "}]")
                        .open());
        authenticator.reload();
        files.apiKeysText(KEY + ": {\n" + KEY);
        authenticator.reload();

        String hash = Sha256.hex(KEY.getBytes(StandardCharsets.UTF_8));
        assertThat(String.join(
                        "\n",
                        granted.toString(),
                        refused.toString(),
                        local.toString(),
                        authenticator.toString(),
                        authenticator.credentials().toString(),
                        start.toString(),
                        log.list.toString(),
                        errors().toString()))
                .doesNotContain(KEY, hash, hash.substring(0, 12));
        assertThat(errors()).hasSize(2);
    }

    private LocalAuthenticator acme() throws ConfigException {
        return files.apiKeys(KeyFiles.entry("acme", KEY, "")).open().local();
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs())
                .toList();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Authenticator.class);
    }

    private static @Nullable Reason reason(Access access) {
        return access instanceof Access.Refused refused ? refused.reason() : null;
    }

    private static Tenant tenant(Access access) {
        assertThat(access).isInstanceOf(Access.Granted.class);
        return ((Access.Granted) access).tenant();
    }
}
