package dev.penstock.router.job;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path below {@code /v1/responses/} or {@code /v1/videos/}.
 *
 * @param id as the client sent it
 * @param action what follows it
 */
public record JobPath(JobKind kind, String id, Action action) {
    private static final String RESPONSES = "/v1/responses/";
    private static final String VIDEOS = "/v1/videos/";

    /** What is asked of a job. */
    public enum Action {
        ITSELF("", HttpMethod.GET, HttpMethod.DELETE),
        CANCEL("/cancel", HttpMethod.POST),
        INPUT_ITEMS("/input_items", HttpMethod.GET),
        CONTENT("/content", HttpMethod.GET);

        private final String suffix;
        private final List<HttpMethod> methods;

        Action(String suffix, HttpMethod... methods) {
            this.suffix = suffix;
            this.methods = List.of(methods);
        }

        private boolean isOf(JobKind kind) {
            return switch (this) {
                case ITSELF -> true;
                case CANCEL, INPUT_ITEMS -> kind == JobKind.RESPONSE;
                case CONTENT -> kind == JobKind.VIDEO;
            };
        }
    }

    /** Null where the path is of something else. */
    public static @Nullable JobPath of(String path) {
        if (path.startsWith(RESPONSES)) return of(JobKind.RESPONSE, path, RESPONSES.length());
        return path.startsWith(VIDEOS) ? of(JobKind.VIDEO, path, VIDEOS.length()) : null;
    }

    private static @Nullable JobPath of(JobKind kind, String path, int from) {
        int slash = path.indexOf('/', from);
        int end = slash < 0 ? path.length() : slash;
        if (end == from) return null;
        for (Action action : Action.values()) {
            if (action.isOf(kind) && path.length() - end == action.suffix.length() && path.endsWith(action.suffix)) {
                return new JobPath(kind, path.substring(from, end), action);
            }
        }
        return null;
    }

    public boolean allows(HttpMethod method) {
        return action.methods.contains(method);
    }

    /** As an {@code Allow} header says it. */
    public String allowed() {
        return String.join(", ", action.methods.stream().map(HttpMethod::name).toList());
    }

    /** The path by which the engine knows it. */
    String atEngine(String engineId) {
        return (kind == JobKind.RESPONSE ? RESPONSES : VIDEOS) + engineId + action.suffix;
    }
}
