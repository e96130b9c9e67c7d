package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.Work;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/**
 * {@code /health} and {@code /health_generate}: generates a token, and looks once a second whether the scheduler has put
 * out anything since. So an answer takes a second even when all is well, and a prefill of a second makes it two.
 */
final class SglangHealth {
    private final Vertx vertx;
    private final StepLoop loop;
    private final long pollMillis;
    private final int polls;

    /**
     * A check.
     *
     * @param pollMillis 1000 in SGLang
     * @param polls after which it gives up: 20
     */
    SglangHealth(Vertx vertx, StepLoop loop, long pollMillis, int polls) {
        this.vertx = vertx;
        this.loop = loop;
        this.pollMillis = pollMillis;
        this.polls = polls;
    }

    void handle(HttpServerRequest request) {
        long before = loop.steps();
        Sequence probe = loop.submit(Work.ofProbe(), _ -> {});
        poll(request, before, probe, polls);
    }

    static void unhealthy(HttpServerRequest request) {
        request.response().setStatusCode(503).end();
    }

    private void poll(HttpServerRequest request, long before, Sequence probe, int left) {
        vertx.setTimer(pollMillis, _ -> {
            if (loop.steps() > before) {
                answer(request, 200);
            } else if (left > 1) {
                poll(request, before, probe, left - 1);
            } else {
                loop.abort(probe);
                answer(request, 503);
            }
        });
    }

    private static void answer(HttpServerRequest request, int status) {
        if (!request.response().closed()) {
            request.response().setStatusCode(status).end();
        }
    }
}
