package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusTableTest {
    @Test
    void showsRoutersServicesModelsAndReplicas() throws Exception {
        var status = Json.MAPPER.readTree("""
            {"routers":[{"name":"router-0","url":"http://127.0.0.1:8080","ready":true,"viewAgeMs":42,"cpuCores":0.254},
                        {"name":"router-1","url":"http://127.0.0.1:8180","ready":false,"viewAgeMs":null}],
             "services":[{"name":"collector","instance":1,"cpuCores":null,"ready":false,"url":"http://127.0.0.1:8083","reasons":["kafka","lag"]}],
             "roles":[{"role":"roster","owner":"collector-1","epoch":7,"ageMs":1200}],
             "models":[{"name":"sim/llama-3-8b","pool":"default/local","replicas":2,"routable":1}],
             "replicas":[{"name":"engine-0","verdict":"healthy","lifecycle":"serving","freshness":"fresh","ageMs":51,"intervalMs":50,"scrapeMs":53,
                          "running":12,"waiting":0,"kvUsed":0.254,"capacity":1.3333,"inflight":3,"limit":64},
                         {"name":"engine-1","verdict":"ejected","lifecycle":"serving","freshness":"stale",
                          "ageMs":61000,"inflight":1}],
             "kafka":{"up":true},"redis":{"up":false}}
            """);

        assertThat(new StatusTable(status).render()).isEqualTo("""
            ROUTER    READY  URL                    VIEW AGE   CPU
            router-0  yes    http://127.0.0.1:8080     42 ms  0.25
            router-1  NO     http://127.0.0.1:8180         -     -

            SERVICE      READY  URL                    CPU  REASONS
            collector-1  NO     http://127.0.0.1:8083    -  kafka, lag

            ROLE    OWNER        EPOCH      AGE
            roster  collector-1      7  1200 ms

            MODEL           POOL           REPLICAS  ROUTABLE
            sim/llama-3-8b  default/local         2         1

            REPLICA   VERDICT  LIFECYCLE  FRESHNESS    AGE  SCRAPED EACH  RUNNING  WAITING   KV  CAPACITY  IN-FLIGHT  LIMIT  SHARE
            engine-0  healthy  serving    fresh      51 ms         53 ms       12        0  25%      1.33          3     64    75%
            engine-1  ejected  serving    stale       61 s             -        -        -    -         -          1      -    25%

            kafka up, redis DOWN
            """);
    }
}
