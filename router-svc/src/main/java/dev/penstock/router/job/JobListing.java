package dev.penstock.router.job;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Envelope;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/videos}: what the index has of a tenant, in pages, the youngest first unless asked otherwise. */
public final class JobListing {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MOST = 100;
    private static final int LONGEST_ID = 1_024;

    private final JobIndex index;

    public JobListing(Jobs jobs) {
        this.index = jobs.index();
    }

    public void handle(HttpServerRequest request, String tenant) {
        int limit = limit(request.getParam("limit"));
        String order = request.getParam("order", "desc");
        String after = request.getParam("after", "");
        if (limit == 0) {
            refuse(request, ApiError.invalidRequest("'limit' must be a number from 1 to " + MOST + ".", "limit"));
        } else if (!order.equals("asc") && !order.equals("desc")) {
            refuse(request, ApiError.invalidRequest("'order' must be 'asc' or 'desc'.", "order"));
        } else if (after.length() > LONGEST_ID) {
            refuse(request, unknownPlace());
        } else {
            index.list(tenant, after, limit, order.equals("asc"))
                    .onSuccess(found -> answer(request, found))
                    .onFailure(lost -> refuse(request, ApiError.noJobIndex()));
        }
    }

    private static int limit(@Nullable String text) {
        if (text == null) return DEFAULT_LIMIT;
        try {
            int limit = Integer.parseInt(text);
            return limit >= 1 && limit <= MOST ? limit : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static void answer(HttpServerRequest request, JobIndex.@Nullable Found found) {
        if (found == null) {
            refuse(request, unknownPlace());
            return;
        }
        StringBuilder page = new StringBuilder("{\"object\":\"list\",\"data\":[");
        page.append(String.join(",", found.entries()));
        if (!found.ids().isEmpty()) {
            page.append("],\"first_id\":\"").append(found.ids().getFirst());
            page.append("\",\"last_id\":\"").append(found.ids().getLast()).append('"');
        } else page.append("],\"first_id\":null,\"last_id\":null");
        page.append(",\"has_more\":").append(found.hasMore()).append('}');
        request.response().putHeader("content-type", "application/json").end(Buffer.buffer(page.toString()));
    }

    private static ApiError unknownPlace() {
        return ApiError.invalidRequest("'after' names no video of this list.", "after");
    }

    private static void refuse(HttpServerRequest request, ApiError error) {
        error.send(request, Envelope.OPENAI);
    }
}
