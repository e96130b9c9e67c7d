package dev.penstock.router.body;

import java.util.List;
import java.util.random.RandomGenerator;

/** Bodies that nobody would write: any order, spacing and escapes, keys that come twice. */
final class RandomJson {
    private static final List<String> KEYS = List.of(
            "model",
            "stream",
            "n",
            "max_tokens",
            "max_completion_tokens",
            "rid",
            "previous_response_id",
            "cache_salt",
            "tools",
            "prompt",
            "input",
            "system",
            "messages",
            "instructions",
            "query",
            "user",
            "content",
            "text",
            "x");
    private static final String ESCAPES = "bfnrt\"\\/";
    private static final String ESCAPED = "\b\f\n\r\t\"\\/";
    private static final String RAW = "az 水🚰é\u0800";

    private final RandomGenerator random;
    private final StringBuilder json = new StringBuilder();

    private RandomJson(RandomGenerator random) {
        this.random = random;
    }

    static String body(RandomGenerator random) {
        RandomJson body = new RandomJson(random);
        body.object(1);
        if (random.nextInt(20) == 0) body.json.append(random.nextBoolean() ? "{" : "x");
        body.space();
        return body.json.toString();
    }

    private void object(int depth) {
        space();
        json.append('{');
        int fields = random.nextInt(depth == 1 ? 12 : 4);
        boolean first = true;
        for (int i = 0; i <= fields; i++) {
            boolean model = depth == 1 && i == fields && random.nextInt(10) > 0;
            String key = model ? "model" : KEYS.get(random.nextInt(KEYS.size()));
            json.append(first ? "" : ",");
            first = false;
            space();
            key(key);
            space();
            json.append(':');
            space();
            if (key.equals("model") && random.nextInt(8) > 0) string(8);
            else if (key.equals("stream") && random.nextInt(8) > 0) json.append(random.nextBoolean());
            else if (key.equals("n") && random.nextInt(8) > 0) json.append(1 + random.nextInt(9));
            else value(depth);
            space();
        }
        json.append('}');
    }

    private void value(int depth) {
        switch (random.nextInt(depth > 6 ? 6 : 9)) {
            case 0 -> json.append("true");
            case 1 -> json.append("null");
            case 2 -> number();
            case 3, 4, 5 -> string(random.nextInt(10) == 0 ? 400 : 6);
            case 6, 7 -> array(depth + 1);
            default -> object(depth + 1);
        }
    }

    private void array(int depth) {
        json.append('[');
        int elements = random.nextInt(5);
        boolean numbers = random.nextInt(3) == 0;
        for (int i = 0; i < elements; i++) {
            json.append(i == 0 ? "" : ",");
            space();
            if (numbers) number();
            else value(depth);
            space();
        }
        json.append(']');
    }

    private void number() {
        if (random.nextInt(4) == 0) json.append('-');
        if (random.nextInt(3) == 0) json.append('0');
        else
            json.append(1 + random.nextInt(40_000)).append("0".repeat(random.nextInt(5) == 0 ? random.nextInt(25) : 0));
        if (random.nextInt(4) == 0) json.append('.').append(random.nextInt(100));
        if (random.nextInt(6) == 0)
            json.append(random.nextBoolean() ? "e" : "E").append(sign()).append(random.nextInt(30));
    }

    private String sign() {
        return switch (random.nextInt(3)) {
            case 0 -> "+";
            case 1 -> "-";
            default -> "";
        };
    }

    private void key(String key) {
        json.append('"');
        for (char c : key.toCharArray()) {
            if (random.nextInt(20) == 0) json.append(String.format("\\u%04x", (int) c));
            else json.append(c);
        }
        if (random.nextInt(40) == 0) json.append("\\ud83d\\udeb0");
        json.append('"');
    }

    private void string(int most) {
        json.append('"');
        StringBuilder unused = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            if (most > 100 && random.nextInt(3) > 0) json.append("plain text ");
            else character(random, json, unused);
        }
        json.append('"');
    }

    /** One character of a string, written in one of the ways that JSON has. */
    static void character(RandomGenerator random, StringBuilder json, StringBuilder text) {
        switch (random.nextInt(6)) {
            case 0 -> {
                int at = random.nextInt(ESCAPES.length());
                json.append('\\').append(ESCAPES.charAt(at));
                text.append(ESCAPED.charAt(at));
            }
            case 1 -> {
                // Halves of pairs come alone and in pairs.
                char[] units = {'\ud83d', '\udeb0', 'x', '\u00e9', '\u6c34', '\0'};
                char unit = units[random.nextInt(units.length)];
                json.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
                text.append(unit);
            }
            default -> {
                int points = RAW.codePointCount(0, RAW.length());
                int point = RAW.codePointAt(RAW.offsetByCodePoints(0, random.nextInt(points)));
                json.appendCodePoint(point);
                text.appendCodePoint(point);
            }
        }
    }

    private void space() {
        while (random.nextInt(4) == 0) json.append(" \n\r\t".charAt(random.nextInt(4)));
    }
}
