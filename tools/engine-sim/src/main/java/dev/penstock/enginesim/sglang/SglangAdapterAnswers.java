package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.openai.AdapterRoutes;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.LoadedAdapters;

/** What SGLang says of adapters: one shape for good and bad, and 400 for all that is bad. */
final class SglangAdapterAnswers implements AdapterRoutes.Answers {
    private final LoadedAdapters adapters;

    SglangAdapterAnswers(LoadedAdapters adapters) {
        this.adapters = adapters;
    }

    String done() {
        return result(true, "");
    }

    @Override
    public ErrorReply invalid(String message) {
        return SglangErrors.of(400, message, "Bad Request", null);
    }

    @Override
    public ErrorReply wrongUse(String message) {
        String json = result(false, message);
        return new ErrorReply(400, json, json, "Bad Request", message);
    }

    @Override
    public ErrorReply notFound(String message) {
        return wrongUse(message);
    }

    @Override
    public String alreadyLoaded(String name) {
        return "Failed to load LoRA adapter '" + name + "': LoRA adapter is already loaded";
    }

    @Override
    public String notLoaded(String name) {
        return "LoRA adapter '" + name + "' is not loaded.";
    }

    private String result(boolean success, String error) {
        StringBuilder out = new StringBuilder("{\"success\":").append(success).append(",\"error_message\":");
        JsonText.append(out, error).append(",\"loaded_adapters\":{");
        adapters.nameToPath().forEach((name, path) -> {
            if (out.charAt(out.length() - 1) != '{') {
                out.append(',');
            }
            JsonText.append(out, name).append(':');
            JsonText.append(out, path);
        });
        return out.append("}}").toString();
    }
}
