package dev.penstock.enginesim.engine;

import java.util.List;
import java.util.Map;

/**
 * What an engine got as one form, so that a relay can be shown to pass it on unchanged.
 *
 * @param sha256 in hex, of the body as it came, boundaries and all
 * @param fields those that are no files
 */
public record ReceivedForm(String id, String sha256, long bytes, Map<String, String> fields, List<File> files) {
    public ReceivedForm {
        fields = Map.copyOf(fields);
        files = List.copyOf(files);
    }

    /** A file: counted and hashed as it came, and not kept. */
    public record File(String field, String filename, String contentType, long bytes, String sha256) {}
}
