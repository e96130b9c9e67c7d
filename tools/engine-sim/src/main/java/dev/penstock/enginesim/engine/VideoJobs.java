package dev.penstock.enginesim.engine;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last 1000 videos of this process, and of no other. On the engine's event loop. */
public final class VideoJobs {
    private static final int KEPT = 1000;

    private final Map<String, VideoJob> idToJob = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, VideoJob> eldest) {
            return size() > KEPT;
        }
    };

    public void add(VideoJob job) {
        idToJob.put(job.id(), job);
    }

    public @Nullable VideoJob find(String id) {
        return idToJob.get(id);
    }

    /** Oldest first. */
    public Collection<VideoJob> all() {
        return idToJob.values();
    }

    public void remove(String id) {
        idToJob.remove(id);
    }

    void forget() {
        idToJob.clear();
    }
}
