package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RequestBodyProperties {
    @Property(tries = 2_000, seed = "1")
    void splices_are_those_of_a_string(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String text = text(random, 200);
        RequestBody body = chunks(text, random);
        List<Splice> splices = new ArrayList<>();
        StringBuilder expected = new StringBuilder();
        int at = 0;
        while (random.nextInt(4) > 0) {
            int from = at + random.nextInt(text.length() - at + 1);
            int to = from + (random.nextBoolean() ? 0 : random.nextInt(text.length() - from + 1));
            String with = text(random, 10);
            splices.add(new Splice(from, to, with.getBytes(ISO_8859_1)));
            expected.append(text, at, from).append(with);
            at = to;
        }
        expected.append(text, at, text.length());
        SlowStream out = new SlowStream(1 + random.nextInt(5));

        Future<Void> done = body.writeTo(out, splices);
        while (!done.isComplete()) out.drain();

        assertThat(out.written()).isEqualTo(expected.toString());
        assertThat(body.lengthWith(splices)).isEqualTo(expected.length());
        assertThat(body.single(splices)).hasToString(expected.toString());
    }

    private static RequestBody chunks(String text, SplittableRandom random) {
        RequestBody body = new RequestBody();
        for (int at = 0; at < text.length(); ) {
            int to = Math.min(text.length(), at + random.nextInt(60));
            body.add(Buffer.buffer(text.substring(at, to)));
            at = to;
        }
        return body;
    }

    private static String text(SplittableRandom random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) text.append((char) ('a' + random.nextInt(26)));
        return text.toString();
    }
}
