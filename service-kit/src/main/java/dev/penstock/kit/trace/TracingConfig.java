package dev.penstock.kit.trace;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code tracing}.
 *
 * @param tracesUrl where spans are posted, or null for no tracing
 * @param sample share of requests without a sampled parent of their own that are traced, 0 to 1
 */
public record TracingConfig(@Nullable URI tracesUrl, double sample) {
    public static final double DEFAULT_SAMPLE = 0.01;

    /** What OTLP over HTTP adds to the address of a collector. */
    private static final String PATH = "/v1/traces";

    private static final String EXPECTED = "base URL of an OTLP/HTTP collector, like http://127.0.0.1:4318";

    public TracingConfig {
        if (!(sample >= 0 && sample <= 1)) throw new IllegalArgumentException("sample is from 0 to 1, not " + sample);
    }

    public static TracingConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("tracing");
        URI url = tracesUrl(section, "otlpEndpoint");
        double sample = section.percent("sample", DEFAULT_SAMPLE);
        if (section.bool("captureErrors", false)) {
            section.problem(
                    "captureErrors",
                    "true",
                    "false: a request that is not sampled leaves no span, however it ends; trace all and let the"
                            + " collector keep failures (tail sampling)");
        }
        return new TracingConfig(url, sample);
    }

    private static @Nullable URI tracesUrl(ConfigSection section, String key) {
        String text = section.optionalString(key);
        if (text == null) return null;
        URI url = tracesUrl(text);
        if (url == null) section.problem(key, text, EXPECTED);
        return url;
    }

    /** Null for what is none; a path that ends in {@code /v1/traces} is left alone. */
    private static @Nullable URI tracesUrl(String text) {
        try {
            URI base = new URI(text);
            boolean http = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
            boolean plain = base.getHost() != null
                    && base.getRawUserInfo() == null
                    && base.getRawQuery() == null
                    && base.getRawFragment() == null;
            if (!http || !plain) return null;
            String whole = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
            return new URI(whole.endsWith(PATH) ? whole : whole + PATH);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
