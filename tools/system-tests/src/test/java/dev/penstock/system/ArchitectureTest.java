package dev.penstock.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The walls between packages that the module graph can't hold by itself. */
class ArchitectureTest {
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
                        "java.nio..",
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
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.router..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.penstock.collector..")
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage("dev.penstock.collector..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.penstock.router..")
                .check(classes);
    }
}
