package dev.penstock.router.fleet;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Header;
import dev.penstock.model.RosterRecord;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RosterCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A router's copy of the roster on disk, so that it can start while Kafka is away. Length-prefixed roster records,
 * replaced as a whole. Blocking: call it from a worker.
 */
public final class RosterFile {
    private static final int LARGEST_RECORD = 1 << 20;

    private final Path file;

    public RosterFile(Path directory, String routerName) {
        this.file = directory.resolve("roster-" + routerName + ".bin");
    }

    public void write(RosterImage image) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(next))) {
            for (ReplicaEntry entry : image.entries()) {
                Header header = new Header("copy", 0, image.version(), Header.NO_EPOCH, 0);
                byte[] record = RosterCodec.encode(
                        new RosterRecord(header, entry.replica(), false, 0, RosterRecord.AGE_UNKNOWN));
                out.writeInt(record.length);
                out.write(record);
            }
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The last copy; empty when there is none. A damaged copy fails: it is only a convenience. */
    public List<RosterRecord> read() throws IOException {
        List<RosterRecord> records = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            while (true) {
                int length;
                try {
                    length = in.readInt();
                } catch (EOFException end) {
                    return records;
                }
                if (length < 0 || length > LARGEST_RECORD)
                    throw new IOException(file + ": record of " + length + " bytes");
                records.add(RosterCodec.decode(in.readNBytes(length)));
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (MalformedRecordException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
