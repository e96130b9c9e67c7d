package dev.penstock.collector.scrape;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.penstock.core.capacity.Work;
import dev.penstock.model.Sample;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * SGLang's {@code /v1/loads}, which its scheduler answers with numbers of this moment, so that the answer itself proves it
 * turns; its work is a rate there, {@code gen_throughput}, and no counter. Where that path is missing, the metrics page, whose gauges move with each prefill and each 40th decode step only,
 * and whose counters are the heartbeat. One answer costs the engine a turn of its scheduler: dear.
 */
public final class SglangDialect implements EngineDialect {
    private static final JsonFactory JSON = new JsonFactory();
    private final PageFamilies families = new PageFamilies("sglang");
    private final int[] running = families.either(Family.sum("num_running_reqs"));
    private final int[] waiting = families.either(Family.sum("num_queue_reqs"));
    private final int[] tokenUsage = families.either(Family.max("token_usage"));
    private final int[] realtime = families.either(Family.sum("realtime_tokens_total"));
    private final int[] generated = families.either(Family.sum("generation_tokens_total"));
    private final int[] prompted = families.either(Family.sum("prompt_tokens_total"));
    private final int[] computed =
            families.either(Family.sum("realtime_tokens_total").where("mode", "prefill_compute"));
    private final int[] cached = families.either(Family.sum("cached_tokens_total"));
    private final int[] ended = families.either(Family.sum("num_requests_total"));
    private final PrometheusText text = families.scanner();
    private int garbage;

    @Override
    public String filteredPath() {
        return "/v1/loads?include=core";
    }

    @Override
    public String fullPath() {
        return "/metrics";
    }

    @Override
    public boolean dear() {
        return true;
    }

    @Override
    public @Nullable Reading read(byte[] page) {
        garbage = 0;
        return page.length > 0 && page[0] == '{' ? loads(page) : metrics(page);
    }

    /** Sums over the ranks of {@code loads}. */
    private @Nullable Reading loads(byte[] page) {
        Loads sums = new Loads();
        try (JsonParser parser = JSON.createParser(page)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME
                        && parser.currentName().equals("loads")) {
                    if (parser.nextToken() != JsonToken.START_ARRAY) return null;
                    while (parser.nextToken() == JsonToken.START_OBJECT) sums.rank(parser);
                } else if (parser.currentToken() == JsonToken.FIELD_NAME) {
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            garbage = 1;
            return null;
        }
        return sums.reading();
    }

    private static final class Loads {
        private long running;
        private long waiting;
        private double usage = -1;
        private double throughput = Double.NaN;
        private boolean complete = true;
        private int ranks;

        void rank(JsonParser parser) throws IOException {
            long ofRunning = -1;
            long ofWaiting = -1;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value.isNumeric()) {
                    switch (field) {
                        case "num_running_reqs" -> ofRunning = parser.getLongValue();
                        case "num_waiting_reqs" -> ofWaiting = parser.getLongValue();
                        case "token_usage" -> usage = Math.max(usage, parser.getDoubleValue());
                        case "gen_throughput" -> {
                            double rate = Math.max(0, parser.getDoubleValue());
                            throughput = Double.isNaN(throughput) ? rate : throughput + rate;
                        }
                        default -> {}
                    }
                } else {
                    parser.skipChildren();
                }
            }
            ranks++;
            if (ofRunning < 0 || ofWaiting < 0) complete = false;
            running += Math.max(0, ofRunning);
            waiting += Math.max(0, ofWaiting);
        }

        @Nullable
        Reading reading() {
            if (ranks == 0 || !complete) return null;
            return new Reading(
                    (int) Math.min(running, 1_000_000_000),
                    (int) Math.min(waiting, 1_000_000_000),
                    PageFamilies.ppm(usage),
                    Sample.UNKNOWN,
                    false,
                    true,
                    new Work(Sample.UNKNOWN, Sample.UNKNOWN, Sample.UNKNOWN, throughput),
                    null);
        }
    }

    private @Nullable Reading metrics(byte[] page) {
        text.scan(page, page.length, true);
        garbage = text.garbageLines();
        if (!seen(running) && !seen(waiting)) return null;
        return new Reading(
                PageFamilies.count(value(running)),
                PageFamilies.count(value(waiting)),
                seen(tokenUsage) ? PageFamilies.ppm(value(tokenUsage)) : Sample.UNKNOWN,
                heartbeat(),
                false,
                false,
                new Work(counter(generated), computedPrompt(), counter(ended), Double.NaN),
                null);
    }

    private long computedPrompt() {
        if (seen(computed)) return counter(computed);
        if (!seen(prompted)) return Sample.UNKNOWN;
        return PageFamilies.whole(Math.max(0, value(prompted) - (seen(cached) ? value(cached) : 0)));
    }

    private long counter(int[] indices) {
        return seen(indices) ? PageFamilies.whole(value(indices)) : Sample.UNKNOWN;
    }

    /** Tokens as they are made; before those were counted, tokens of requests that ended. */
    private long heartbeat() {
        if (seen(realtime)) return PageFamilies.whole(value(realtime));
        if (!seen(generated) && !seen(prompted)) return Sample.UNKNOWN;
        return PageFamilies.whole((seen(generated) ? value(generated) : 0) + (seen(prompted) ? value(prompted) : 0));
    }

    @Override
    public int garbageLines() {
        return garbage;
    }

    private boolean seen(int[] indices) {
        return PageFamilies.seen(text, indices);
    }

    private double value(int[] indices) {
        return PageFamilies.value(text, indices);
    }
}
