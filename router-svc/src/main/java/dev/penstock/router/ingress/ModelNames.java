package dev.penstock.router.ingress;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PolicyRecord;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What clients may call a model, and what its engines call it. The view's writer changes it, every event loop reads. */
public final class ModelNames {
    private volatile Map<String, String> aliasToModel;

    public ModelNames(List<ModelConfig> models) {
        Map<String, String> aliases = new HashMap<>();
        models.forEach(model -> model.aliases().forEach(alias -> aliases.put(alias, model.name())));
        aliasToModel = Map.copyOf(aliases);
    }

    /** A policy's aliases take the place of what the model had. One writer. */
    public void apply(PolicyRecord policy) {
        Map<String, String> aliases = new HashMap<>(aliasToModel);
        aliases.values().removeIf(policy.model()::equals);
        if (!policy.gone()) policy.aliases().forEach(alias -> aliases.put(alias, policy.model()));
        if (!aliases.equals(aliasToModel)) aliasToModel = Map.copyOf(aliases);
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
