package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private static final String PAGE = """
        {"id":"router-0-mb2k4v0q1c8","router":"router-0","attempts":[
         {"attempt":1,"decision":"load-balance","reason":"strategy","picked":"engine-1","agoMs":1240,"viewVersion":9,
          "degraded":false,"draw":"ab","strategy":"load-balance","k":8,"epsilon":0.5,"candidates":[
           {"replica":"engine-1","number":2,"picked":true,"nearTie":true,"standing":"routable","why":"routable","own":1,
            "peers":0.0,"bias":0.0,"biasCauses":[],"load":1.0,"freshness":"fresh","ageMs":41,"waiting":0,"kvUsed":0.012,
            "wouldWin":"won: drawn of 2 near-ties"},
           {"replica":"engine-0","number":1,"picked":false,"nearTie":true,"standing":"routable","why":"routable","own":1,
            "peers":0.25,"bias":0.1,"biasCauses":["stale"],"load":1.35,"freshness":"stale","ageMs":410,"waiting":2,
            "kvUsed":0.4,"wouldWin":"with another draw of the 2 near-ties"},
           {"replica":"engine-3","number":4,"picked":false,"nearTie":false,"standing":"routable","why":"routable","own":0,
            "peers":0.0,"bias":4.5,"biasCauses":["slowStart"],"load":4.5,"freshness":"fresh","ageMs":20,"waiting":0,
            "wouldWin":"without its bias for slow start, or 4 more at engine-1"},
           {"replica":"engine-2","number":3,"picked":false,"nearTie":false,"standing":"hard","why":"hard verdict","own":0,
            "peers":0.0,"bias":0.0,"biasCauses":[],"load":0.0,"freshness":"missing",
            "wouldWin":"without its hard verdict"}],
          "counts":{"routable":3,"ramping":1,"soft":0,"quarantined":0,"hard":1,"tried":0,"notCandidate":0},
          "reDecided":"engine-1","agrees":true}]}
        """;

    private static final String WARM = """
        {"id":"router-0-mb2k4v0q1c8","router":"router-0","attempts":[
         {"attempt":1,"decision":"load-balance","reason":"strategy","picked":"engine-1","agoMs":1240,"viewVersion":9,
          "degraded":false,"draw":"ab","strategy":"load-balance","k":8,"epsilon":0.5,"candidates":[
           {"replica":"engine-1","number":2,"picked":true,"nearTie":true,"standing":"routable","why":"routable","own":2,
            "peers":0.0,"bias":0.0,"biasCauses":[],"load":2.0,"score":-2.66,"credit":4.66,"prefixHit":0.83,
            "session":"pinned","freshness":"fresh","ageMs":41,"waiting":0,"kvUsed":0.012,
            "wouldWin":"won: has the session and 83 % of the prompt"},
           {"replica":"engine-0","number":1,"picked":false,"nearTie":false,"standing":"routable","why":"routable","own":0,
            "peers":0.0,"bias":0.0,"biasCauses":[],"load":0.0,"score":-0.5,"weight":0.5,"freshness":"fresh","ageMs":41,
            "waiting":0,"wouldWin":"not even idle: engine-1 has the session (worth 4.7 requests), or 3 more at engine-1"},
           {"replica":"engine-3","number":4,"picked":false,"nearTie":false,"standing":"routable","why":"routable","own":1,
            "peers":0.0,"bias":0.0,"biasCauses":[],"load":1.0,"score":1.0,"freshness":"fresh","ageMs":20,"waiting":0,
            "wouldWin":"not even idle: engine-1 has the session (worth 4.7 requests), or 4 more at engine-1"}],
          "counts":{"routable":3,"ramping":0,"soft":0,"quarantined":0,"hard":0,"tried":0,"notCandidate":0},
          "reDecided":"engine-1","agrees":true}]}
        """;

    @TempDir
    Path data;

    @Test
    void a_person_reads_why_and_what_would_have_made_each_candidate_win() throws IOException {
        assertThat(shown(PAGE)).isEqualTo("""
            router-0-mb2k4v0q1c8, decided by router-0

            Attempt 1, 1.2 s ago, view 9: engine-1, by load-balance (an even draw of the 8 least loaded within 0.5).
            3 routable, excluded: 1 ramping and full for now, 1 hard verdict. Made again: agrees.

                REPLICA   OWN  PEERS             BIAS  LOAD   KV  WAIT           AGE  STANDING      WOULD WIN
            >1  engine-1    1      0                0     1   1%     0         41 ms  routable      won: drawn of 2 near-ties
            =2  engine-0    1   0.25       stale 0.10  1.35  40%     2  stale 410 ms  routable      with another draw of the 2 near-ties
             3  engine-3    0      0  slow start 4.50  4.50    -     0         20 ms  routable      without its bias for slow start,
                                                                                                    or 4 more at engine-1
             4  engine-2    0      0                0     0    -     -       missing  hard verdict  without its hard verdict
            > picked, = a near-tie of it
            """);
    }

    @Test
    void scores_and_warmth_are_shown_where_they_made_a_difference() throws IOException {
        assertThat(shown(WARM)).isEqualTo("""
            router-0-mb2k4v0q1c8, decided by router-0

            Attempt 1, 1.2 s ago, view 9: engine-1, by load-balance (the least score).
            3 routable, excluded: none. Made again: agrees.

                REPLICA   OWN  PEERS  BIAS  LOAD  SCORE  WARM                KV  WAIT    AGE  STANDING  WOULD WIN
            >1  engine-1    2      0     0     2  -2.66  pinned, prefix 83%  1%     0  41 ms  routable  won: has the session
                                                                                                        and 83 % of the prompt
             2  engine-0    0      0     0     0  -0.50                       -     0  41 ms  routable  not even idle:
                                                                                                        engine-1 has the session
                                                                                                        (worth 4.7 requests),
                                                                                                        or 3 more at engine-1
             3  engine-3    1      0     0     1      1                       -     0  20 ms  routable  not even idle:
                                                                                                        engine-1 has the session
                                                                                                        (worth 4.7 requests),
                                                                                                        or 4 more at engine-1
            > picked, = a near-tie of it
            """);
    }

    @Test
    void what_got_in_a_strategys_way_is_said_in_words() throws IOException {
        assertThat(shown(PAGE.replace("\"reason\":\"strategy\"", "\"reason\":\"panic\"")))
                .contains("engine-1, panic: all are excluded, so the best of them by load-balance (");
        assertThat(shown(PAGE.replace("\"reason\":\"strategy\"", "\"reason\":\"contended\"")))
                .contains("engine-1, contended: the index was in use, so a few were drawn, then by load-balance (");
        assertThat(shown(PAGE.replace("\"degraded\":false", "\"degraded\":true")))
                .contains("\nDegraded: most of the pool's telemetry was not fresh");
        assertThat(shown(PAGE.replace("\"agrees\":true", "\"agrees\":false")
                        .replace("reDecided\":\"engine-1", "reDecided\":\"engine-0")))
                .contains("Made again from the record it is engine-0: please report this.");
        assertThat(shown(PAGE.replace(
                        "\"strategy\":\"load-balance\"",
                        "\"strategy\":\"weighted\",\"weights\":{\"random\":0.333,\"least-request\":0.667}")))
                .contains("by the least weighted score (random 0.33, least-request 0.67).");
    }

    @Test
    void json_is_the_routers_object_alone() throws IOException {
        try (var router = new ControlServer(200, "{\"attempts\":[]}")) {
            router.writeRunFile(data, router.url());

            assertThat(explain("router-0-1", "--json"))
                    .isEqualTo(new Run(0, "{\"attempts\":[]}" + System.lineSeparator(), ""));
        }
    }

    @Test
    void an_id_that_nobody_knows_is_answered_with_advice() throws IOException {
        try (var router = new ControlServer(404, "{\"error\":\"no decision of it\"}")) {
            router.writeRunFile(data, router.url());

            Run forgotten = explain("router-0-mb2k4v0q1c8");
            assertThat(forgotten.exitCode()).isEqualTo(1);
            assertThat(forgotten.out()).isEmpty();
            assertThat(forgotten.err()).contains("router-0: no decision of it", "x-request-id");

            Run foreign = explain("router-9-mb2k4v0q1c8");
            assertThat(foreign.exitCode()).isEqualTo(1);
            assertThat(foreign.err()).contains("running: router-0", "x-request-id");
        }
    }

    @Test
    void a_management_token_is_named_as_what_is_in_the_way() throws IOException {
        try (var router = new ControlServer(401, "")) {
            router.writeRunFile(data, router.url());

            Run run = explain("router-0-1");

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err()).contains("management token");
        }
    }

    private String shown(String page) throws IOException {
        try (var router = new ControlServer(200, page)) {
            router.writeRunFile(data, router.url());

            Run run = explain("router-0-mb2k4v0q1c8");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(router.calls).containsExactly("GET /debug/decisions/router-0-mb2k4v0q1c8 ");
            return run.out();
        }
    }

    private Run explain(String... args) {
        String[] line = new String[args.length + 3];
        line[0] = "explain";
        System.arraycopy(args, 0, line, 1, args.length);
        line[args.length + 1] = "--data";
        line[args.length + 2] = data.toString();
        return Run.of(line);
    }
}
