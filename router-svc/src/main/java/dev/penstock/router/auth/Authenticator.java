package dev.penstock.router.auth;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.config.TokenConfig;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.router.auth.CredentialFile.Look;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whom to let in: the API keys and the signers of tokens, from their files, and each file again when it changes. A
 * file that is wrong or gone changes nothing, because an editor's slip must lock nobody out and let nobody in. Reloads are
 * written by one worker at a time; any thread may read. {@link #local()} is what a thread asks.
 */
public final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticator.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final double JITTER = 0.1;

    private static final Authenticator OPEN = new Authenticator(SecurityConfig.OPEN, true);

    private final boolean open;
    private final @Nullable CredentialFile<ApiKeys> apiKeysFile;
    private final @Nullable CredentialFile<TrustedKeys> jwksFile;
    private final TenantLabels labels = new TenantLabels();
    private final TokenCheck tokens;
    private volatile Credentials credentials = new Credentials(ApiKeys.NONE, TrustedKeys.NONE);

    private Authenticator(SecurityConfig security, boolean open) {
        this.open = open;
        apiKeysFile = file(security.apiKeysFile(), ApiKeysFile::parse);
        jwksFile = file(security.jwksFile(), JwksFile::parse);
        tokens = new TokenCheck(security.tokens(), labels);
    }

    /**
     * Reads the files, before {@link ConfigTree#finish()}, which reports what is wrong with them. Blocking.
     *
     * @param config where their problems are noted
     */
    public static Authenticator open(SecurityConfig security, ConfigTree config) {
        if (security.isOpen()) return OPEN;
        Authenticator authenticator = new Authenticator(security, false);
        ConfigSection section = config.section("security");
        authenticator.read((key, file, faults) -> faults.forEach(
                fault -> section.problem(key, file + ": " + fault.field() + " is " + fault.what(), fault.expected())));
        return authenticator;
    }

    /** Without files: what is known stays. */
    static Authenticator of(Credentials credentials, TokenConfig tokens) {
        Authenticator authenticator = new Authenticator(new SecurityConfig(null, null, null, tokens, null), false);
        authenticator.labels.written(credentials.apiKeys().tenants());
        authenticator.credentials = credentials;
        return authenticator;
    }

    /** Of a router without files. */
    public static Authenticator open() {
        return OPEN;
    }

    /** Everybody is let in as {@link Tenant#DEFAULT}. */
    public boolean isOpen() {
        return open;
    }

    /** One for each thread that asks. */
    public LocalAuthenticator local() {
        return new LocalAuthenticator(this);
    }

    /** Looks at the files each second until it is closed; null when there are none. */
    public @Nullable PeriodicTask watch(Vertx vertx) {
        if (open) return null;
        return PeriodicTask.start(
                vertx,
                "client keys",
                PERIOD,
                JITTER,
                () -> vertx.executeBlocking(() -> {
                    reload();
                    return null;
                }));
    }

    /** Blocking; one thread at a time. */
    void reload() {
        read(Authenticator::complain);
    }

    Credentials credentials() {
        return credentials;
    }

    TokenCheck tokens() {
        return tokens;
    }

    /** Each file counts by itself: a slip in one does not hold up the other's rotation. */
    private void read(Complaints complaints) {
        if (apiKeysFile != null) {
            ApiKeys read = take("apiKeysFile", apiKeysFile, complaints);
            if (read != null) {
                labels.written(read.tenants());
                credentials = credentials.with(read);
                said(apiKeysFile, read.summary());
            }
        }
        if (jwksFile != null) {
            TrustedKeys read = take("jwksFile", jwksFile, complaints);
            if (read != null) {
                credentials = credentials.with(read);
                said(jwksFile, read.summary());
            }
        }
    }

    private static <T> @Nullable T take(String key, CredentialFile<T> file, Complaints complaints) {
        return switch (file.look()) {
            case Look.Same<T> same -> null;
            case Look.Good<T> good -> good.value();
            case Look.Bad<T> bad -> {
                complaints.about(key, file.path(), bad.faults());
                yield null;
            }
        };
    }

    private static void said(CredentialFile<?> file, String summary) {
        LOG.atInfo().addKeyValue(LogKeys.PATH, file.path()).log("client keys read: {}", summary);
    }

    private static void complain(String key, Path file, List<Faults.Fault> faults) {
        LOG.atError()
                .addKeyValue(LogKeys.PATH, file)
                .addKeyValue(
                        LogKeys.ERROR,
                        faults.stream().map(Faults.Fault::toString).collect(Collectors.joining("; ")))
                .log("security.{} is wrong, the last good keys stay", key);
    }

    private static <T> @Nullable CredentialFile<T> file(@Nullable Path path, BiFunction<String, Faults, T> parser) {
        return path == null ? null : new CredentialFile<>(path, parser);
    }

    @FunctionalInterface
    private interface Complaints {
        void about(String key, Path file, List<Faults.Fault> faults);
    }
}
