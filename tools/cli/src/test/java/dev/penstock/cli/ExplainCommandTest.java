package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private static final String PAGE = """
        {"id":"router-0-mb2k4v0q1c8","router":"router-0","attempts":[
         {"attempt":1,"decision":"least-request","reason":"least_request","picked":"engine-1","agoMs":1240,"viewVersion":9,
          "draw":"ab","candidates":[
           {"replica":"engine-1","number":2,"picked":true,"standing":"routable","why":"routable","own":1,"peers":0.0,"load":1.0,
            "freshness":"fresh","ageMs":41},
           {"replica":"engine-0","number":1,"picked":false,"standing":"routable","why":"routable","own":2,"peers":0.25,"load":2.25,
            "freshness":"stale","ageMs":410},
           {"replica":"engine-2","number":3,"picked":false,"standing":"hard","why":"hard verdict","own":0,"peers":0.0,"load":0.0,
            "freshness":"missing"}],
          "counts":{"routable":2,"soft":0,"quarantined":0,"hard":1,"tried":0,"notCandidate":0},
          "reDecided":"engine-1","agrees":true,
          "secondChoice":"engine-0 would have won had engine-1 had 2 more requests in flight."}]}
        """;

    @TempDir
    Path data;

    @Test
    void a_person_reads_candidates_the_winner_and_the_second_choice() throws IOException {
        try (var router = new ControlServer(200, PAGE)) {
            router.writeRunFile(data, router.url());

            Run run = explain("router-0-mb2k4v0q1c8");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(router.calls).containsExactly("GET /debug/decisions/router-0-mb2k4v0q1c8 ");
            assertThat(run.out()).isEqualTo("""
                router-0-mb2k4v0q1c8, decided by router-0

                Attempt 1: engine-1, the least loaded, 1.2 s ago, view 9
                  REPLICA   OWN  PEERS  LOAD  SIGNAL AGE  FRESHNESS  STANDING
                > engine-1    1      0     1       41 ms  fresh      routable
                  engine-0    2   0.25  2.25      410 ms  stale      routable
                  engine-2    0      0     0           -  missing    hard verdict
                2 routable; excluded: 1 hard verdict.
                engine-0 would have won had engine-1 had 2 more requests in flight.
                """);
        }
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

    private Run explain(String... args) {
        String[] line = new String[args.length + 3];
        line[0] = "explain";
        System.arraycopy(args, 0, line, 1, args.length);
        line[args.length + 1] = "--data";
        line[args.length + 2] = data.toString();
        return Run.of(line);
    }
}
