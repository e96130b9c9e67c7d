package dev.penstock.localstack;

import dev.penstock.admission.AdmissionMain;
import dev.penstock.admission.AdmissionWiring;
import dev.penstock.advisor.AdvisorMain;
import dev.penstock.advisor.AdvisorWiring;
import dev.penstock.collector.CollectorMain;
import dev.penstock.collector.CollectorWiring;
import dev.penstock.health.HealthMain;
import dev.penstock.health.HealthWiring;
import dev.penstock.kit.run.Starter;
import dev.penstock.model.Roles;
import dev.penstock.router.RouterMain;
import dev.penstock.router.RouterWiring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The five services: how each is started, in this JVM or as a process, and on which ports. */
enum ServiceKind {
    COLLECTOR(
            CollectorWiring::start,
            CollectorMain.class,
            Roles.ROSTER,
            192,
            List.of(new Port("TELEMETRY__MANAGEMENTPORT", 8083))),
    HEALTH(
            HealthWiring::start,
            HealthMain.class,
            Roles.VERDICTS,
            160,
            List.of(new Port("HEALTH__MANAGEMENTPORT", 8082))),
    ADMISSION(
            AdmissionWiring::start,
            AdmissionMain.class,
            Roles.POLICY,
            128,
            List.of(
                    new Port("ADMISSION__MANAGEMENTPORT", 8084),
                    new Port("ADMISSION__RESTPORT", 8094),
                    new Port("ADMISSION__LEDGERPORT", 9084))),
    ADVISOR(
            AdvisorWiring::start,
            AdvisorMain.class,
            Roles.ADVICE,
            160,
            List.of(
                    new Port("ADVISOR__MANAGEMENTPORT", 8085),
                    new Port("ADVISOR__RESTPORT", 8090),
                    new Port("ADVISOR__GRPCPORT", 9090))),
    /** Last: a router listens when there is somebody to route to. */
    ROUTER(
            RouterWiring::start,
            RouterMain.class,
            null,
            384,
            List.of(new Port("ROUTER__MANAGEMENTPORT", 8081), new Port("ROUTER__PORT", 8080)));

    /** Instance k listens at base + 100 k. The first port of a kind is its management port. */
    record Port(String setting, int base) {}

    final Starter starter;
    final Class<?> main;
    final @Nullable String role;
    final int heapMib;
    final List<Port> ports;

    ServiceKind(Starter starter, Class<?> main, @Nullable String role, int heapMib, List<Port> ports) {
        this.starter = starter;
        this.main = main;
        this.role = role;
        this.heapMib = heapMib;
        this.ports = ports;
    }

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
