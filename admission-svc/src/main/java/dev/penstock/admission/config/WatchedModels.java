package dev.penstock.admission.config;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.Problem;
import dev.penstock.kit.log.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code models} part of the configuration file, which may be edited while the service runs. A file that is wrong, empty
 * or gone changes nothing: the last good models stay, and the problem is logged once and shown. It is compared by its text,
 * because a time stamp misses the second of two quick writes. Written on the context that calls refresh; any thread may read.
 */
public final class WatchedModels {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedModels.class);

    private final Vertx vertx;
    private final ConfigTree source;
    private final Consumer<Boolean> reloads;
    private @Nullable String known;
    private volatile List<ModelConfig> good;
    private volatile @Nullable String problem;

    /** One look at a file that has another text than before. */
    private sealed interface Look {
        String text();

        record Good(String text, List<ModelConfig> models) implements Look {}

        record Bad(String text, String problems) implements Look {}
    }

    /**
     * @param source knows its file, if it has one, and the environment that overrides it
     * @param reloads told of each reload whether it was good
     */
    public WatchedModels(Vertx vertx, ConfigTree source, List<ModelConfig> initial, Consumer<Boolean> reloads) {
        this.vertx = vertx;
        this.source = source;
        this.good = initial;
        this.reloads = reloads;
    }

    public Future<?> refresh() {
        Path watched = source.file();
        String before = known;
        if (watched == null) return Future.succeededFuture();
        return vertx.<@Nullable Look>executeBlocking(() -> look(watched, before), false)
                .onSuccess(this::take);
    }

    public List<ModelConfig> models() {
        return good;
    }

    /** What is wrong with the file as it is now: path, value and expectation. */
    public @Nullable String problem() {
        return problem;
    }

    private @Nullable Look look(Path watched, @Nullable String before) {
        String text;
        try {
            text = Files.readString(watched);
        } catch (IOException e) {
            return bad("", new Problem(watched.toString(), e.getClass().getSimpleName(), "a readable YAML file"));
        }
        if (text.equals(before)) return null;
        if (text.isBlank()) {
            return bad(text, new Problem(watched.toString(), "empty", "a configuration; models: [] means no models"));
        }
        return parse(text);
    }

    private Look parse(String text) {
        ConfigTree tree = source.again(text);
        List<ModelConfig> models = ModelConfig.readAll(tree);
        try {
            tree.finish();
            return new Look.Good(text, models);
        } catch (ConfigException e) {
            return new Look.Bad(
                    text, e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
    }

    private static Look bad(String text, Problem what) {
        return new Look.Bad(text, what.toString());
    }

    private void take(@Nullable Look look) {
        if (look == null) return;
        known = look.text();
        switch (look) {
            case Look.Good read -> accept(read.models());
            case Look.Bad bad -> complain(bad.problems());
        }
    }

    private void accept(List<ModelConfig> models) {
        boolean news = problem != null || !models.equals(good);
        good = models;
        problem = null;
        if (!news) return;
        reloads.accept(true);
        LOG.atInfo()
                .addKeyValue(LogKeys.PATH, source.file())
                .addKeyValue(LogKeys.COUNT, models.size())
                .log("models read again");
    }

    private void complain(String text) {
        if (text.equals(problem)) return;
        problem = text;
        reloads.accept(false);
        LOG.atError()
                .addKeyValue(LogKeys.PATH, source.file())
                .addKeyValue(LogKeys.ERROR, text)
                .log("configuration file is wrong, the last good models stay");
    }
}
