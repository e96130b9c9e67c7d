package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.openai.AdapterRoutes;
import dev.penstock.enginesim.openai.ErrorReply;

/** What vLLM says of adapters. */
final class VllmAdapterAnswers implements AdapterRoutes.Answers {
    @Override
    public ErrorReply invalid(String message) {
        return VllmErrors.of(400, message, "Bad Request", null);
    }

    @Override
    public ErrorReply wrongUse(String message) {
        return VllmErrors.of(400, message, "InvalidUserInput", null);
    }

    @Override
    public ErrorReply notFound(String message) {
        return VllmErrors.of(404, message, "NotFoundError", null);
    }

    @Override
    public String alreadyLoaded(String name) {
        return "The lora adapter '" + name + "' has already been loaded. If you want to load the adapter in place, set"
                + " 'load_inplace' to True.";
    }

    @Override
    public String notLoaded(String name) {
        return "The lora adapter '" + name + "' cannot be found.";
    }
}
