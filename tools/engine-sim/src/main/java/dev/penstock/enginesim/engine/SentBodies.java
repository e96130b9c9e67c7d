package dev.penstock.enginesim.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last 1000 answers by request id. Written by the engine's event loop, read by any thread. */
public final class SentBodies {
    private static final int KEPT = 1000;

    private final Map<String, SentBody> idToBody = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SentBody> eldest) {
            return size() > KEPT;
        }
    };

    /** An id used again forgets the earlier answer. */
    public synchronized void add(SentBody body) {
        idToBody.remove(body.id());
        idToBody.put(body.id(), body);
    }

    public synchronized @Nullable SentBody find(String id) {
        return idToBody.get(id);
    }
}
