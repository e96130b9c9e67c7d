package dev.penstock.admission.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedModelsTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<Boolean> reloads = new ArrayList<>();

    @TempDir
    Path directory;

    private Path file;
    private WatchedModels models;

    @BeforeEach
    void watch() {
        file = directory.resolve("penstock.yaml");
        models = new WatchedModels(
                vertx, ConfigTree.load(file, Map.of()), List.of(ModelConfig.ofDefaults("m")), reloads::add);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
    }

    @Test
    void the_file_the_service_started_with_is_no_news() throws Exception {
        look("models: [{name: m}]");

        assertThat(models.models()).containsExactly(ModelConfig.ofDefaults("m"));
        assertThat(reloads).isEmpty();
    }

    @Test
    void a_change_is_read() throws Exception {
        look("models: [{name: m}]");
        look("models: [{name: m}, {name: n}]");

        assertThat(models.models()).extracting(ModelConfig::name).containsExactly("m", "n");
        assertThat(reloads).containsExactly(true);
    }

    @Test
    void a_wrong_file_keeps_the_last_good_models_and_is_told_once() throws Exception {
        look("models: [{name: n}]");
        look("models: [{name: n, requestsPerSecondPerReplica: many}]");
        refresh();

        assertThat(models.models()).extracting(ModelConfig::name).containsExactly("n");
        assertThat(models.problem()).startsWith("models[0].requestsPerSecondPerReplica: many, expected a number");
        assertThat(reloads).containsExactly(true, false);

        look("models: [{name: n}]");

        assertThat(models.problem()).isNull();
        assertThat(reloads).containsExactly(true, false, true);
    }

    @Test
    void neither_a_missing_nor_an_empty_nor_a_broken_file_takes_models_away() throws Exception {
        refresh();
        assertThat(models.problem()).isEqualTo(file + ": NoSuchFileException, expected a readable YAML file");
        look(" \n");
        assertThat(models.problem()).startsWith(file + ": empty, expected a configuration");
        look("models: [{name:");
        assertThat(models.problem()).contains("expected YAML");

        assertThat(models.models()).extracting(ModelConfig::name).containsExactly("m");
    }

    private void look(String text) throws Exception {
        Files.writeString(file, text);
        refresh();
    }

    private void refresh() throws Exception {
        models.refresh().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
    }
}
