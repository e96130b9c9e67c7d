package dev.penstock.collector.scrape;

import java.util.List;

/**
 * LoRA adapters of the requests at an engine, as it last said.
 *
 * @param stamp moves whenever the engine says it again; the engine's wall clock, or a sum of such, so good for nothing else
 * @param names of running and waiting requests, without order
 */
public record AdaptersInUse(double stamp, List<String> names) {
    public AdaptersInUse {
        names = List.copyOf(names);
    }
}
