package dev.penstock.collector.kvevents;

import dev.penstock.core.kvevents.Vocabulary;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PrefixMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The vocabularies of the models whose KV events are wanted, by any of a model's names. Immutable. */
public final class Vocabularies {
    private final Map<String, Vocabulary> modelToVocabulary;

    private Vocabularies(Map<String, Vocabulary> modelToVocabulary) {
        this.modelToVocabulary = modelToVocabulary;
    }

    /** Reads each file once: some 100 ms for 150,000 tokens, which then take about 10 MiB. */
    public static Vocabularies read(List<ModelConfig> models) throws IOException {
        Map<String, Vocabulary> nameToVocabulary = new HashMap<>();
        Map<String, Vocabulary> modelToVocabulary = new HashMap<>();
        for (ModelConfig model : models) {
            if (model.prefix().mode() != PrefixMode.EVENTS) continue;
            String name = model.prefix().vocabulary();
            Vocabulary vocabulary = nameToVocabulary.get(name);
            if (vocabulary == null) {
                vocabulary = named(model.name(), name);
                nameToVocabulary.put(name, vocabulary);
            }
            modelToVocabulary.put(model.name(), vocabulary);
        }
        return new Vocabularies(Map.copyOf(modelToVocabulary));
    }

    private static Vocabulary named(String model, String name) throws IOException {
        if (name.equals(ModelConfig.PrefixConfig.BYTES4)) return Vocabulary.BYTES4;
        try {
            return VocabularyFile.read(Path.of(name));
        } catch (IOException e) {
            String what = "models " + model + ": prefix.vocabulary: " + name
                    + ", expected bytes4 or a readable tokenizer.json of a byte-level BPE: ";
            throw new IOException(what + e, e);
        }
    }

    public boolean isEmpty() {
        return modelToVocabulary.isEmpty();
    }

    /** Null = no events of this model are wanted. */
    @Nullable
    Vocabulary of(String model) {
        return modelToVocabulary.get(model);
    }
}
