package dev.penstock.relaybench.rig;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the engines send, as bytes: a completion of some 450 bytes, or 50 chunks of 170 to 210 as vLLM words them. */
final class Replies {
    static final int CHUNKS = 50;

    private static final String[] TOKENS = {" water", " flows", " down", " the", " penstock", " and", " turns", ","};

    final ByteBuffer json = direct(json());
    final ByteBuffer busy = direct("HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n"
            + "content-length: 22\r\n\r\n{\"error\":\"overloaded\"}");
    final ByteBuffer streamHead = direct("HTTP/1.1 200 OK\r\nserver: uvicorn\r\n"
            + "content-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n");
    final ByteBuffer[] chunks = new ByteBuffer[CHUNKS];

    Replies() {
        for (int i = 0; i < CHUNKS; i++) chunks[i] = direct(chunk(i));
    }

    private static String json() {
        String body = "{\"id\":\"chatcmpl-9f1c2b7e\",\"object\":\"chat.completion\",\"created\":1764500000,\"model\":\""
                + Bodies.MODEL + "\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"A"
                               + " penstock is a closed pipe that leads water from a reservoir to a turbine, under"
                               + " pressure, through a gate that sets how"
                               + " much.\",\"tool_calls\":[]},\"logprobs\":null,\"finish_reason\":\"stop\","
                               + "\"stop_reason\":null}],\"usage\":{\"prompt_tokens\":46,\"total_tokens\":76,\"completion_tokens\":30}}";
        return "HTTP/1.1 200 OK\r\nserver: uvicorn\r\ncontent-type: application/json\r\ncontent-length: "
                + body.length() + "\r\n\r\n" + body;
    }

    /** The last but one has the reason, the last one is the end, with the body's own end behind it. */
    private static String chunk(int index) {
        if (index == CHUNKS - 1) return framed("data: [DONE]\n\n") + "0\r\n\r\n";
        boolean finished = index == CHUNKS - 2;
        String delta = index == 0
                ? "{\"role\":\"assistant\",\"content\":\"\"}"
                : finished ? "{}" : "{\"content\":\"" + TOKENS[index % TOKENS.length] + "\"}";
        return framed("data: {\"id\":\"chatcmpl-9f1c2b7e\",\"object\":\"chat.completion.chunk\",\"created\":1764500000,"
                + "\"model\":\"" + Bodies.MODEL + "\",\"choices\":[{\"index\":0,\"delta\":" + delta
                + ",\"logprobs\":null,\"finish_reason\":" + (finished ? "\"stop\"" : "null") + "}]}\n\n");
    }

    private static String framed(String event) {
        return Integer.toHexString(event.length()) + "\r\n" + event + "\r\n";
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
