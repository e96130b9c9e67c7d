package dev.penstock.kit.registry;

import dev.penstock.model.LockIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The kernel's lock on {@code holder-NAME.lock} in the data directory. One process has it at a time, from here to its end, so
 * whoever gets it knows that the one before is dead.
 *
 * <p>The file is opened once per process: POSIX takes a process's lock away when it closes any descriptor of the file.
 */
public final class HolderLock implements AutoCloseable {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    /** Channels that nothing refers to are closed by the collector of garbage. */
    private static final Map<LockIdentity, FileChannel> HELD = new ConcurrentHashMap<>();

    private final FileChannel channel;
    private final Path file;
    private final LockIdentity identity;
    private final long lockedNanos;

    private HolderLock(FileChannel channel, Path file, LockIdentity identity, long lockedNanos) {
        this.channel = channel;
        this.file = file;
        this.identity = identity;
        this.lockedNanos = lockedNanos;
    }

    public static HolderLock take(Path dataDirectory, String name) throws IOException {
        return take(dataDirectory, name, System::nanoTime);
    }

    /** @param bootClock counts on from process to process of one boot, as {@link System#nanoTime} does on Linux */
    static synchronized HolderLock take(Path dataDirectory, String name, LongSupplier bootClock) throws IOException {
        Files.createDirectories(dataDirectory);
        Path file = dataDirectory.resolve("holder-" + name + ".lock").toAbsolutePath();
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException left) {
            // by an earlier process, or it is in use
        }
        LockIdentity identity = identityOf(file);
        if (HELD.containsKey(identity)) throw new HolderLockException(file, "this process holds it already");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            lock(channel, file, identity);
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
        HELD.put(identity, channel);
        return new HolderLock(channel, file, identity, bootClock.getAsLong());
    }

    private static void lock(FileChannel channel, Path file, LockIdentity identity) throws IOException {
        if (channel.tryLock() == null) {
            throw new HolderLockException(file, "another process holds it: a name is used by one process at a time");
        }
        if (!identityOf(file).equals(identity)) throw new HolderLockException(file, "it was replaced meanwhile");
    }

    private static LockIdentity identityOf(Path file) throws IOException {
        String bootId = Files.readString(BOOT_ID).strip();
        long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
        long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
        return new LockIdentity(bootId, device, inode);
    }

    public Path file() {
        return file;
    }

    public LockIdentity identity() {
        return identity;
    }

    /** The boot's monotonic clock after it was taken: later for whoever takes it next. */
    public long lockedNanos() {
        return lockedNanos;
    }

    /** Only once nothing of this holder runs any more: it says so to whoever takes the lock next. A process need not call it. */
    @Override
    public void close() throws IOException {
        // As in take: the kernel drops a lock with whichever of a process's channels to the file is closed.
        synchronized (HolderLock.class) {
            if (HELD.remove(identity, channel)) channel.close();
        }
    }
}
