package dev.penstock.enginesim.api;

import dev.penstock.enginesim.messages.MessageBody;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect.Answered;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.StreamEvents.Totals;
import dev.penstock.enginesim.openai.Words;
import dev.penstock.enginesim.responses.ResponseEvents;
import dev.penstock.enginesim.responses.ResponseObject;
import dev.penstock.enginesim.scores.ScoreBody;

/** Whole answers that both engines make alike, from what was asked and how far it came. Pure. */
public final class SharedBodies {
    private SharedBodies() {}

    /** @param reason why it ended, or the status of one that has not */
    public static String response(
            ApiStyle style, GenerationRequest request, Words words, Answered answered, int tokens, String reason) {
        ResponseObject response = new ResponseObject(style, request, answered.id(), answered.createdSeconds());
        if (reason.equals("queued") || reason.equals("in_progress")) {
            return response.json(reason, null, null);
        }
        Totals totals = new Totals(request.promptTokens(), tokens, answered.cachedTokens());
        return response.json(ResponseEvents.statusOf(reason), request.text(words, 0, tokens), totals);
    }

    public static String message(
            ApiStyle style, GenerationRequest request, Words words, Answered answered, int tokens, String reason) {
        String text = request.text(words, 0, tokens);
        return MessageBody.whole(style, answered.id(), request.model(), text, request.promptTokens(), tokens, reason);
    }

    public static String scores(ApiStyle style, GenerationRequest request, Words words, Answered answered) {
        ScoreBody body = new ScoreBody(style, request, words, answered);
        return switch (request.endpoint()) {
            case RERANK -> body.rerank();
            case SCORE -> body.scores();
            case CLASSIFY -> body.classes();
            default -> body.pooled();
        };
    }
}
