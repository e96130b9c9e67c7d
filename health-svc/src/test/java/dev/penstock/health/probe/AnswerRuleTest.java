package dev.penstock.health.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.health.ProbeResult.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerRuleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "200 | {\"choices\":[{\"text\":\"a\",\"finish_reason\":\"length\"}]} | PASSED",
                "200 | {\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\"}]} | PASSED",
                "200 | {\"data\":[{\"embedding\":[0.1]}]} | PASSED",
                "200 | {\"choices\":[{\"text\":\"\",\"finish_reason\":\"abort\"}]} | FAILED",
                "200 | {\"choices\":[]} | FAILED",
                "200 | {\"error\":{\"message\":\"EngineCore encountered an issue\",\"code\":500}} | FAILED",
                "200 | {\"error\":\"Unauthorized\"} | FAILED",
                "200 | {\"error\":{\"type\":\"SERVICE_UNAVAILABLE\",\"code\":503}} | BUSY",
                "200 | {\"object\":\"error\",\"message\":\"m\",\"code\":500} | FAILED",
                "200 | <html></html> | FAILED",
                "200 | `` | FAILED",
                "429 | `` | BUSY",
                "503 | {\"object\":\"error\",\"message\":\"The request queue is full.\",\"code\":503} | BUSY",
                "503 | {\"error\":\"The model is currently scaling\"} | BUSY",
                "503 | no healthy upstream | FAILED",
                "500 | {\"error\":{\"message\":\"m\",\"code\":500}} | FAILED",
                "502 | `` | FAILED",
                "400 | {\"error\":{\"code\":400}} | BUSY",
                "404 | `` | BUSY",
                "401 | {\"error\":\"Unauthorized\"} | BUSY",
                "302 | `` | BUSY",
            })
    void an_answer_means(int status, String body, Kind kind) {
        assertThat(AnswerRule.judge(status, body.getBytes(UTF_8)).kind()).isEqualTo(kind);
    }
}
