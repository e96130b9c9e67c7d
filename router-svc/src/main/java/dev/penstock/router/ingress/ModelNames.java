package dev.penstock.router.ingress;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.penstock.kit.config.ModelConfig;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What clients may call a model, and what its engines call it. */
public final class ModelNames {
    private final Map<String, String> aliasToModel = new HashMap<>();

    public ModelNames(List<ModelConfig> models) {
        models.forEach(model -> model.aliases().forEach(alias -> aliasToModel.put(alias, model.name())));
    }

    /** The engines' name for what a client sent. */
    String resolve(String name) {
        String model = aliasToModel.get(name);
        return model == null ? name : model;
    }

    Map<String, String> aliases() {
        return aliasToModel;
    }

    /** The body with the engines' name in place of the client's; the other bytes stay as they came. */
    static Buffer spliced(Buffer body, RequestPeek.Peeked peeked, String model) {
        byte[] name = ('"' + new String(JsonStringEncoder.getInstance().quoteAsString(model)) + '"')
                .getBytes(StandardCharsets.UTF_8);
        return Buffer.buffer(body.length() + name.length)
                .appendBuffer(body, 0, peeked.modelStart())
                .appendBytes(name)
                .appendBuffer(body, peeked.modelEnd(), body.length() - peeked.modelEnd());
    }
}
