package dev.penstock.enginesim.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last 1000 stored answers of this process, and of no other. On the engine's event loop. */
public final class StoredResponses {
    private static final int KEPT = 1000;

    private final Map<String, StoredResponse> idToResponse = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StoredResponse> eldest) {
            return size() > KEPT;
        }
    };

    public void put(String id, StoredResponse response) {
        idToResponse.put(id, response);
    }

    public @Nullable StoredResponse find(String id) {
        return idToResponse.get(id);
    }

    public void remove(String id) {
        idToResponse.remove(id);
    }

    void forget() {
        idToResponse.clear();
    }
}
