package dev.penstock.router.upload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class MultipartScanProperties {
    private static final String[] BOUNDARIES = {"b", "--", "-", "----WebKitFormBoundaryABC", "a b", "x".repeat(70)};
    private static final String[] NAMES = {"model", "stream", "n", "file", "prompt", "model "};
    private static final String[] VALUES = {"m", "org/m-7b", "true", "2", "", " ", "m\u00ff", "modèle"};

    @Property(tries = 5_000, seed = "1")
    void cuts_change_nothing_and_a_pattern_says_the_same(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String boundary = BOUNDARIES[random.nextInt(BOUNDARIES.length)];
        byte[] body = form(random, boundary).getBytes(ISO_8859_1);
        NaiveForm naive = new NaiveForm(body, boundary);

        MultipartScan scan = new MultipartScan(boundary);
        for (int at = 0; at < body.length; ) {
            int to = Math.min(body.length, at + 1 + random.nextInt(1 + random.nextInt(200)));
            scan.feed(Buffer.buffer(body).slice(at, to));
            at = to;
        }

        assertThat(scan.finish()).isEqualTo(naive.fault);
        assertThat(scan.fields().model()).isEqualTo(naive.fields.model());
        assertThat(scan.fields().modelStart()).isEqualTo(naive.fields.modelStart());
        assertThat(scan.fields().modelEnd()).isEqualTo(naive.fields.modelEnd());
        assertThat(scan.fields().stream()).isEqualTo(naive.fields.stream());
        assertThat(scan.fields().choices()).isEqualTo(naive.fields.choices());
    }

    private static String form(SplittableRandom random, String boundary) {
        StringBuilder form = new StringBuilder();
        if (random.nextInt(4) == 0) content(form, random, boundary);
        int parts = random.nextInt(5);
        for (int i = 0; i < parts; i++) part(form, random, boundary);
        if (random.nextInt(10) > 0) form.append("\r\n--").append(boundary).append("--");
        if (random.nextInt(3) == 0) content(form, random, boundary);
        // A body begins with its first delimiter, without a line end before it.
        return random.nextBoolean() && form.indexOf("\r\n") == 0 ? form.substring(2) : form.toString();
    }

    private static void part(StringBuilder form, SplittableRandom random, String boundary) {
        form.append("\r\n--")
                .append(boundary)
                .append(random.nextInt(8) == 0 ? " \t" : "")
                .append("\r\n");
        String name = NAMES[random.nextInt(NAMES.length)];
        if (random.nextInt(40) == 0)
            form.append("X-Long: ")
                    .append("y".repeat(8_150 + random.nextInt(60)))
                    .append("\r\n");
        if (random.nextInt(20) > 0) {
            form.append(random.nextBoolean() ? "Content-Disposition" : "content-disposition")
                    .append(": form-data; name=");
            form.append(random.nextInt(4) == 0 ? name.strip() : '"' + name + '"');
            if (name.equals("file") || random.nextInt(12) == 0) form.append("; filename=\"a\\\"b;.wav\"");
            form.append("\r\n");
        }
        form.append("\r\n");
        if (random.nextInt(3) == 0) content(form, random, boundary);
        else if (random.nextInt(30) == 0) form.append("v".repeat(1_020 + random.nextInt(10)));
        else form.append(VALUES[random.nextInt(VALUES.length)]);
    }

    /** Bytes, and what looks like a delimiter. */
    private static void content(StringBuilder form, SplittableRandom random, String boundary) {
        String[] pieces = {
            "\r",
            "\n",
            "\r\n",
            "-",
            "--",
            boundary,
            "--" + boundary,
            "\r\n--" + boundary,
            "\r\n--" + boundary + "x",
            "\r\n--" + boundary + "-",
            "\r\n--" + boundary + " \tx",
            "\r\n--" + boundary + "\r",
            "\r\n-" + boundary,
            "\u00ff",
            "a"
        };
        for (int i = random.nextInt(8); i > 0; i--) form.append(pieces[random.nextInt(pieces.length)]);
    }
}
