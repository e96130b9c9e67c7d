package dev.penstock.enginesim.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last 1000 forms by request id. Written by the engine's event loop, read by any thread. */
public final class ReceivedForms {
    private static final int KEPT = 1000;

    private final Map<String, ReceivedForm> idToForm = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ReceivedForm> eldest) {
            return size() > KEPT;
        }
    };

    public synchronized void add(ReceivedForm form) {
        idToForm.put(form.id(), form);
    }

    public synchronized @Nullable ReceivedForm find(String id) {
        return idToForm.get(id);
    }
}
