package dev.penstock.router.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read again when it changes. It is compared by the hash of its bytes: a time stamp misses the second of two
 * quick writes, and whatever links a mounted secret hangs by. Blocking; one thread at a time.
 */
final class CredentialFile<T> {
    /** Some 15,000 API keys: what is read each second has to be bounded. */
    private static final int LARGEST_BYTES = 2 << 20;

    private final Path path;
    private final BiFunction<String, Faults, T> parser;
    private @Nullable KeyHash known;
    private boolean readable = true;

    /** What has become of the file since the last look. */
    sealed interface Look<T> {
        record Same<T>() implements Look<T> {}

        record Good<T>(T value) implements Look<T> {}

        record Bad<T>(List<Faults.Fault> faults) implements Look<T> {}
    }

    CredentialFile(Path path, BiFunction<String, Faults, T> parser) {
        this.path = path;
        this.parser = parser;
    }

    Path path() {
        return path;
    }

    Look<T> look() {
        byte[] bytes;
        try {
            bytes = read();
        } catch (IOException e) {
            return unreadable(e);
        }
        readable = true;
        KeyHash hash = Hasher.hash(bytes);
        if (hash.equals(known)) return new Look.Same<>();
        known = hash;
        Faults faults = new Faults();
        T value = parse(bytes, faults);
        return value == null || !faults.isEmpty() ? new Look.Bad<>(faults.list()) : new Look.Good<>(value);
    }

    private byte[] read() throws IOException {
        try (var in = Files.newInputStream(path)) {
            return in.readNBytes(LARGEST_BYTES + 1);
        }
    }

    private @Nullable T parse(byte[] bytes, Faults faults) {
        if (bytes.length > LARGEST_BYTES) {
            faults.add("the file", "larger than " + LARGEST_BYTES + " bytes", "fewer keys");
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return parser.apply(text, faults);
        } catch (CharacterCodingException e) {
            faults.add("the file", "not UTF-8", "text");
            return null;
        }
    }

    /** Told once; the file is looked at afresh when it is back. */
    private Look<T> unreadable(IOException e) {
        if (!readable) return new Look.Same<>();
        readable = false;
        known = null;
        Faults faults = new Faults();
        faults.add(
                "the file", "not readable (" + e.getClass().getSimpleName() + ")", "a file that this service may read");
        return new Look.Bad<>(faults.list());
    }
}
