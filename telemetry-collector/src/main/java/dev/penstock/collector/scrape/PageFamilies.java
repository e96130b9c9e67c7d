package dev.penstock.collector.scrape;

import dev.penstock.model.Sample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The families a dialect looks for on a metrics page, each under the engine's prefix as it writes it ({@code vllm:}) and as
 * Ray Serve does ({@code vllm_}). What is not on the page is NaN, and unknown, never 0. One thread.
 */
final class PageFamilies {
    private final String[] prefixes;
    private final List<Family> families = new ArrayList<>();

    /** @param engine {@code vllm}, {@code sglang} */
    PageFamilies(String engine) {
        prefixes = new String[] {engine + ":", engine + "_"};
    }

    /** Looks for the family under both prefixes; what is returned stands for either. To be called before {@link #scanner}. */
    int[] either(Family family) {
        int[] indices = new int[prefixes.length];
        for (int i = 0; i < indices.length; i++) {
            String name = prefixes[i] + new String(family.name(), StandardCharsets.UTF_8);
            indices[i] = families.size();
            families.add(
                    new Family(name.getBytes(StandardCharsets.UTF_8), family.label(), family.value(), family.fold()));
        }
        return indices;
    }

    PrometheusText scanner() {
        return new PrometheusText(families);
    }

    List<Family> all() {
        return families;
    }

    static boolean seen(PrometheusText page, int[] indices) {
        return page.seen(indices[0]) || page.seen(indices[1]);
    }

    static double value(PrometheusText page, int[] indices) {
        return page.value(page.seen(indices[0]) ? indices[0] : indices[1]);
    }

    /** A label of the latest series. */
    static String label(PrometheusText page, int[] indices, String name) {
        return page.label(page.seen(indices[0]) ? indices[0] : indices[1], name);
    }

    /** Requests, at most 10^9. */
    static int count(double value) {
        return Double.isNaN(value) || value < 0 ? Sample.UNKNOWN : (int) Math.round(Math.min(value, 1e9));
    }

    /** A counter. */
    static long whole(double value) {
        return Double.isNaN(value) || value < 0 ? Sample.UNKNOWN : Math.round(value);
    }

    /** A share from 0 to 1, in millionths. */
    static int ppm(double share) {
        return Double.isNaN(share) || share < 0 ? Sample.UNKNOWN : (int) Math.round(Math.min(share, 1) * 1_000_000);
    }
}
