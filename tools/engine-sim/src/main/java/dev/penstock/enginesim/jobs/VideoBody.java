package dev.penstock.enginesim.jobs;

import dev.penstock.enginesim.engine.VideoJob;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.JsonText;
import java.util.Collection;
import java.util.Locale;

/** The video object. Pure. */
final class VideoBody {
    private VideoBody() {}

    static String job(ApiStyle style, VideoJob job, long nowNanos) {
        return append(new StringBuilder(320), style, job, nowNanos).toString();
    }

    static String list(ApiStyle style, Collection<VideoJob> jobs, long nowNanos) {
        StringBuilder out = new StringBuilder("{\"object\":\"list\",\"data\":[");
        boolean first = true;
        for (VideoJob job : jobs) {
            append(out.append(first ? "" : ","), style, job, nowNanos);
            first = false;
        }
        return out.append("],\"has_more\":false}").toString();
    }

    static String deleted(VideoJob job) {
        return JsonText.append(new StringBuilder("{\"id\":"), job.id())
                .append(",\"object\":\"video.deleted\",\"deleted\":true}")
                .toString();
    }

    private static StringBuilder append(StringBuilder out, ApiStyle style, VideoJob job, long nowNanos) {
        JsonText.append(out.append("{\"id\":"), job.id())
                .append(",\"object\":\"video\",\"status\":\"")
                .append(job.status(nowNanos).name().toLowerCase(Locale.ROOT))
                .append("\",\"progress\":")
                .append(job.progress(nowNanos))
                .append(",\"model\":");
        JsonText.append(out, job.model()).append(",\"created_at\":").append(job.createdSeconds());
        JsonText.append(out.append(",\"seconds\":"), job.seconds());
        JsonText.append(out.append(",\"size\":"), job.size());
        if (style == ApiStyle.VLLM) {
            JsonText.append(out.append(",\"prompt\":"), job.prompt());
        }
        return out.append(",\"error\":null}");
    }
}
