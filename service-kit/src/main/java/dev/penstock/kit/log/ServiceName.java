package dev.penstock.kit.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.penstock.kit.run.ServiceThreads;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/** Gives each line the service whose thread wrote it, unless it names one. An appender's filter, so it runs on that thread. */
public final class ServiceName extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
        String service = ServiceThreads.serviceOf(Thread.currentThread());
        if (service != null && event instanceof LoggingEvent line && !named(line.getKeyValuePairs())) {
            line.addKeyValuePair(new KeyValuePair(LogKeys.SERVICE, service));
        }
        return FilterReply.NEUTRAL;
    }

    private static boolean named(@org.jspecify.annotations.Nullable List<KeyValuePair> pairs) {
        return pairs != null && pairs.stream().anyMatch(pair -> pair.key.equals(LogKeys.SERVICE));
    }
}
