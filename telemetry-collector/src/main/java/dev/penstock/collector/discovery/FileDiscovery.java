package dev.penstock.collector.discovery;

import dev.penstock.kit.log.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica file that may be edited while the collector runs. A file that is wrong or gone changes nothing: the last good
 * list stays, and the problem is logged once and shown. Written on the context that calls refresh.
 */
public final class FileDiscovery implements Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(FileDiscovery.class);

    private final Vertx vertx;
    private final Path file;
    private @Nullable Stamp stamp;
    private @Nullable List<DiscoveredReplica> good;
    private @Nullable String problem;

    /** What tells one state of the file from another. */
    private record Stamp(
            FileTime modified, long size, @Nullable Object key) {}

    /** One look at the file. */
    private record Look(@Nullable Stamp stamp, ReplicaFile.Result result) {}

    public FileDiscovery(Vertx vertx, Path file) {
        this.vertx = vertx;
        this.file = file;
    }

    @Override
    public Future<Void> refresh() {
        Stamp known = stamp;
        return vertx.<@Nullable Look>executeBlocking(() -> look(known), false)
                .map(this::take)
                .mapEmpty();
    }

    @Override
    public @Nullable List<DiscoveredReplica> replicas() {
        return good;
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }

    private @Nullable Look look(@Nullable Stamp known) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Stamp seen = new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
            if (seen.equals(known)) return null;
            return new Look(seen, ReplicaFile.parse(Files.readString(file)));
        } catch (IOException e) {
            return new Look(
                    null,
                    ReplicaFile.wrong(file.toString(), e.getClass().getSimpleName(), "a readable UTF-8 YAML file"));
        }
    }

    private boolean take(@Nullable Look look) {
        if (look == null) return false;
        stamp = look.stamp();
        switch (look.result()) {
            case ReplicaFile.Good list -> accept(list.replicas());
            case ReplicaFile.Bad bad ->
                complain(bad.problems().stream().map(Object::toString).collect(Collectors.joining("; ")));
        }
        return true;
    }

    private void accept(List<DiscoveredReplica> list) {
        good = list;
        problem = null;
        LOG.atInfo()
                .addKeyValue(LogKeys.PATH, file)
                .addKeyValue(LogKeys.COUNT, list.size())
                .log("replica file read");
    }

    private void complain(String text) {
        if (text.equals(problem)) return;
        problem = text;
        LOG.atError()
                .addKeyValue(LogKeys.PATH, file)
                .addKeyValue(LogKeys.ERROR, text)
                .log(good == null ? "replica file is wrong" : "replica file is wrong, the last good list stays");
    }
}
