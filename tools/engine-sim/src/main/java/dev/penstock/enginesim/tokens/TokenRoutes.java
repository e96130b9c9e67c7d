package dev.penstock.enginesim.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.messages.MessageBody;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.NotedAnswer;
import dev.penstock.enginesim.openai.Prompt;
import dev.penstock.enginesim.openai.ServedModels;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Text to token ids and back. An id is four bytes of text, so that detokenizing gives all but a last, unfinished one. */
public final class TokenRoutes {
    public static final String COUNT_PATH = "/v1/messages/count_tokens";

    private final ObjectMapper json = new ObjectMapper();
    private final ApiStyle style;
    private final EngineParts engine;
    private final Dialect dialect;
    private final ServedModels models;

    public TokenRoutes(ApiStyle style, EngineParts engine, Dialect dialect, ServedModels models) {
        this.style = style;
        this.engine = engine;
        this.dialect = dialect;
        this.models = models;
    }

    public void tokenize(HttpServerRequest request, Buffer body) {
        answer(request, body, Endpoint.COMPLETIONS, (root, answer) -> {
            JsonNode prompt = root.path("prompt");
            if (!prompt.isTextual() && root.path("messages").isEmpty()) {
                answer.refuse(dialect.invalid(missing("prompt")));
                return;
            }
            answer.json(tokens(Prompt.tokens(prompt.isTextual() ? prompt.asText() : text(root.path("messages")))));
        });
    }

    public void detokenize(HttpServerRequest request, Buffer body) {
        answer(request, body, Endpoint.COMPLETIONS, (root, answer) -> {
            JsonNode tokens = root.path("tokens");
            if (!tokens.isArray()) {
                answer.refuse(dialect.invalid(missing("tokens")));
                return;
            }
            ByteBuffer bytes = ByteBuffer.allocate(tokens.size() * Integer.BYTES);
            tokens.forEach(token -> bytes.putInt(token.asInt()));
            String text = new String(bytes.array(), StandardCharsets.UTF_8);
            answer.json(JsonText.append(new StringBuilder(style == ApiStyle.VLLM ? "{\"prompt\":" : "{\"text\":"), text)
                    .append('}')
                    .toString());
        });
    }

    public void count(HttpServerRequest request, Buffer body) {
        answer(request, body, Endpoint.MESSAGES, (root, answer) -> {
            if (!root.path("messages").isArray()) {
                answer.refuse(dialect.invalid(missing("messages")));
                return;
            }
            String text = content(root.path("system")) + text(root.path("messages"));
            answer.json(MessageBody.tokenCount(style, Prompt.tokens(text).length));
        });
    }

    private void answer(HttpServerRequest request, Buffer body, Endpoint api, BiConsumer<JsonNode, NotedAnswer> rest) {
        NotedAnswer answer = new NotedAnswer(engine, request, reply -> dialect.in(api, reply));
        JsonNode root = object(body.getBytes());
        if (root == null) {
            answer.refuse(dialect.invalid(
                    "1 validation error: [{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]"));
            return;
        }
        String named = root.path("model").asText(models.first());
        String model = dialect.servedName(named, models);
        if (!models.names().contains(model) && !engine.adapters().loaded(model)) {
            answer.refuse(dialect.unknownModel(named));
            return;
        }
        rest.accept(root, answer);
    }

    private @Nullable JsonNode object(byte[] body) {
        try {
            JsonNode root = json.readTree(body);
            return root.isObject() ? root : null;
        } catch (IOException _) {
            return null;
        }
    }

    private String tokens(int[] ids) {
        StringBuilder list = new StringBuilder("[");
        for (int i = 0; i < ids.length; i++) {
            list.append(i == 0 ? "" : ",").append(ids[i]);
        }
        list.append(']');
        return style == ApiStyle.VLLM
                ? "{\"count\":" + ids.length + ",\"max_model_len\":" + models.maxModelLen() + ",\"tokens\":" + list
                        + ",\"token_strs\":null}"
                : "{\"tokens\":" + list + ",\"count\":" + ids.length + ",\"max_model_len\":" + models.maxModelLen()
                        + "}";
    }

    private static String text(JsonNode messages) {
        StringBuilder text = new StringBuilder();
        messages.forEach(message -> text.append(content(message.path("content"))));
        return text.toString();
    }

    private static String content(JsonNode content) {
        if (!content.isArray()) {
            return content.asText("");
        }
        StringBuilder text = new StringBuilder();
        content.forEach(part -> text.append(part.path("text").asText("")));
        return text.toString();
    }

    private static String missing(String field) {
        return "1 validation error: [{'type': 'missing', 'loc': ('body', '" + field + "'), 'msg': 'Field required'}]";
    }
}
