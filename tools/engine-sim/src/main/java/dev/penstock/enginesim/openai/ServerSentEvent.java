package dev.penstock.enginesim.openai;

/** An event that has a name, as the newer APIs send them; chat and completions have none. */
public final class ServerSentEvent {
    private ServerSentEvent() {}

    public static String of(String name, CharSequence json) {
        return new StringBuilder(name.length() + json.length() + 16)
                .append("event: ")
                .append(name)
                .append("\ndata: ")
                .append(json)
                .append("\n\n")
                .toString();
    }
}
