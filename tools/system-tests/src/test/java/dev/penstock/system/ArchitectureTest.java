package dev.penstock.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The walls between packages that the module graph can't hold by itself. */
class ArchitectureTest {
    private static final List<String> SERVICES = List.of("router", "health", "collector", "admission", "advisor");

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter().importPackages("dev.penstock");
    }

    @Test
    void the_core_decides_and_does_nothing_else() {
        assertThat(classes.containPackage("dev.penstock.core.view")).isTrue();
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.penstock.wire..",
                        "com.google.protobuf..",
                        "io.vertx..",
                        "org.slf4j..",
                        "org.apache.kafka..",
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.io..")
                .check(classes);
    }

    @Test
    void the_core_takes_clock_and_randomness_as_arguments() {
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.core..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .check(classes);
    }

    @Test
    void services_never_import_each_other() {
        for (String service : SERVICES) {
            assertThat(classes.containPackage("dev.penstock." + service)).isTrue();
            String[] others = SERVICES.stream()
                    .filter(other -> !other.equals(service))
                    .map(other -> "dev.penstock." + other + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage("dev.penstock." + service + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .check(classes);
        }
    }
}
