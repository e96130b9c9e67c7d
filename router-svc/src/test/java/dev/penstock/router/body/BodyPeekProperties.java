package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.prefix.PrefixChain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BodyPeekProperties {
    private static final byte[] TELLING =
            HexFormat.of().parseHex("00091f20222c2d2e303139 3a5b5c5d6575727b7d7f80bfc0c2e0edeff0f4ff".replace(" ", ""));

    private static final Pattern LONELY =
            Pattern.compile("(?<![\\ud800-\\udbff])[\\udc00-\\udfff]|[\\ud800-\\udbff](?![\\udc00-\\udfff])");

    private final BodyPeek scanner = new BodyPeek();

    @Property(tries = 2_000, seed = "1")
    void jackson_and_a_tree_say_the_same(@ForAll long seed) throws IOException {
        byte[] body = RandomJson.body(new SplittableRandom(seed)).getBytes(UTF_8);

        Peeks peeks = Peeks.of(scanner, body, body.length);

        assertThat(accepted(peeks)).isEqualTo(Reference.valid(body));
        if (!accepted(peeks)) return;
        Reference reference = Reference.of(body);
        String model = reference.text("model");
        if (peeks.peek() instanceof Peek.Invalid invalid) {
            switch (String.valueOf(invalid.param())) {
                case "model" ->
                    assertThat(model == null || model.isBlank() || longest(model) > 1_024)
                            .isTrue();
                case "stream" -> assertThat(scanFails(reference::stream)).isTrue();
                default -> assertThat(invalid.param()).isEqualTo("n");
            }
            return;
        }
        Peek.Peeked peeked = (Peek.Peeked) peeks.peek();
        assertThat(peeked.model()).isEqualTo(model);
        assertThat(peeked.modelStart()).isEqualTo(reference.start("model"));
        assertThat(peeked.modelEnd()).isEqualTo(reference.end("model"));
        assertThat(peeked.stream()).isEqualTo(reference.stream());
        assertThat(body[(int) peeked.objectStart() - 1]).isEqualTo((byte) '{');
        assertThat(peeked.choices() == Integer.MAX_VALUE || peeked.choices() % reference.prompts() == 0)
                .isTrue();
        assertThat(peeked.hasMaxTokens())
                .isEqualTo(reference.has("max_tokens") || reference.has("max_completion_tokens"));
        assertThat(peeked.previousResponseId()).isEqualTo(reference.text("previous_response_id"));
        if (reference.text("rid") != null) {
            assertThat(peeked.ridStart()).isEqualTo(reference.start("rid"));
            assertThat(peeked.ridEnd()).isEqualTo(reference.end("rid"));
        }
        assertThat(String.valueOf(peeks.user())).isEqualTo(orNull(reference.text("user")));
        assertThat(String.valueOf(peeks.salt())).isEqualTo(orNull(reference.text("cache_salt")));
        byte[] prompt = reference.prompt();
        assertThat(peeks.promptBytes()).isEqualTo(prompt.length);
        PrefixChain expected = new PrefixChain();
        expected.start(PrefixChain.seed("m", reference.text("cache_salt")));
        expected.add(prompt, 0, prompt.length);
        PrefixChain exact = scanner.facts().prefixes("m", true);
        assertThat(exact.blocks()).isEqualTo(expected.blocks());
        for (int i = 0; i < exact.blocks(); i++) assertThat(exact.hash(i)).isEqualTo(expected.hash(i));
    }

    /** Half of a pair is three bytes while it is read, and only then becomes a question mark. */
    private static int longest(String text) {
        return LONELY.matcher(text).replaceAll("\u0800").getBytes(UTF_8).length;
    }

    private static String orNull(String text) {
        return text == null || text.isEmpty() ? "null" : text;
    }

    private static boolean scanFails(Runnable asked) {
        try {
            asked.run();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Property(tries = 5_000, seed = "1")
    void a_body_with_changed_bytes_is_valid_to_both_or_to_none(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] body = RandomJson.body(random).getBytes(UTF_8);
        for (int changes = 1 + random.nextInt(2); changes > 0; changes--) body = changed(body, random);

        Peeks whole = Peeks.of(scanner, body, Math.max(1, body.length));

        assertThat(accepted(whole)).isEqualTo(Reference.valid(body));
        assertThat(Peeks.cutAnywhere(scanner, body, 1 + random.nextInt(20), random))
                .isEqualTo(whole);
    }

    private static byte[] changed(byte[] body, SplittableRandom random) {
        if (body.length == 0) return body;
        int at = random.nextInt(body.length);
        byte other = random.nextInt(3) > 0 ? TELLING[random.nextInt(TELLING.length)] : (byte) random.nextInt(256);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(body, 0, at);
        switch (random.nextInt(4)) {
            case 0 -> out.write(body, at + 1, body.length - at - 1);
            case 1 -> {
                out.write(other);
                out.write(body, at, body.length - at);
            }
            case 2 -> {
                // A piece comes twice.
                int from = random.nextInt(at + 1);
                out.write(body, from, body.length - from);
            }
            default -> {
                out.write(other);
                out.write(body, at + 1, body.length - at - 1);
            }
        }
        return out.toByteArray();
    }

    /** The scanner's own window is a cut too. */
    @Property(tries = 200, seed = "1")
    void cuts_change_nothing(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String spaces = random.nextBoolean() ? "" : " ".repeat(16 * 1024 - random.nextInt(400));
        byte[] body = (spaces + RandomJson.body(random)).getBytes(UTF_8);
        Peeks tiny = Peeks.of(scanner, body, 1);

        assertThat(Peeks.of(scanner, body, body.length)).isEqualTo(tiny);
        assertThat(Peeks.cutAnywhere(scanner, body, 1 + random.nextInt(100), random))
                .isEqualTo(tiny);
        assertThat(Peeks.cutAnywhere(scanner, body, 20_000, random)).isEqualTo(tiny);
    }

    /** JSON, whatever its fields are. */
    private static boolean accepted(Peeks peeks) {
        return !(peeks.peek() instanceof Peek.Invalid(String message, String param)) || param != null;
    }
}
