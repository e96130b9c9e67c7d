package dev.penstock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.pick.Routing;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Endpoint;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/api.md} is written by hand; its tables are those of the code. */
class ApiDocTest {
    private static final String ENDPOINT_SOURCE = "router-svc/src/main/java/dev/penstock/router/api/Endpoint.java";
    private static final Pattern CASE = Pattern.compile("case ((?:\"/[^\"]+\"(?:, )?)+) ->");
    private static final Pattern LITERAL = Pattern.compile("\"(/[^\"]+)\"");

    private static final Pattern POST_ROW = Pattern.compile("^\\| POST \\| ([^|]+) \\|", Pattern.MULTILINE);
    private static final Pattern PATH = Pattern.compile("`(/[^`]+)`");
    private static final Pattern ERROR_ROW =
            Pattern.compile("^\\| ([^|]*\\d[^|]*) \\| `([a-z_]+(?:_N)?)` \\| `([a-z_]+)` \\|", Pattern.MULTILINE);

    /** Statuses that a factory is asked for where it takes one. */
    private static final int[] STATUSES = {400, 429, 500, 503};

    /** @param given the status was given to the factory: it says nothing */
    private record Told(String code, String type, int status, boolean given) {
        String name() {
            return code + " " + type;
        }
    }

    private record Row(String statuses, String code, String type) {
        String name() {
            return code + " " + type;
        }
    }

    private final String document;

    ApiDocTest() throws IOException {
        document = DocFile.named("api.md").text();
    }

    @Test
    void every_path_of_an_endpoint_is_listed_and_no_other() throws Exception {
        Set<String> listed = new TreeSet<>();
        POST_ROW.matcher(document).results().forEach(row -> listed.addAll(all(PATH, row.group(1))));

        assertThat(listed).as("docs/api.md: rows of POST").isEqualTo(pathsOfEndpoints());
        assertThat(listed).as("paths that Endpoint knows").allMatch(path -> Endpoint.at(path) != null);
    }

    @Test
    void every_error_of_the_routers_own_is_listed_and_no_other() throws Exception {
        Set<String> made = new TreeSet<>();
        for (Told each : errors()) made.add(each.name());
        Set<String> listed = new TreeSet<>();
        for (Row each : rows()) listed.add(each.name());

        assertThat(listed)
                .as("docs/api.md: code and type of each error that ApiError makes")
                .isEqualTo(made);
    }

    @Test
    void an_error_is_listed_with_its_status() throws Exception {
        List<Row> rows = rows();
        for (Told each : errors()) {
            if (each.given()) continue;
            assertThat(rows)
                    .as(each.name() + " with status " + each.status())
                    .anyMatch(row -> row.name().equals(each.name())
                            && List.of(row.statuses().split(", ")).contains(String.valueOf(each.status())));
        }
    }

    private static Set<String> pathsOfEndpoints() throws IOException {
        Set<String> paths = new TreeSet<>();
        String source = DocFile.ofRepository(ENDPOINT_SOURCE).text();
        CASE.matcher(source).results().forEach(each -> paths.addAll(all(LITERAL, each.group(1))));
        return paths;
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(each -> each.group(1)).toList();
    }

    private List<Row> rows() {
        return ERROR_ROW.matcher(document).results().map(ApiDocTest::row).toList();
    }

    private static Row row(MatchResult match) {
        return new Row(match.group(1), match.group(2), match.group(3));
    }

    /** What every public factory makes. */
    private static Set<Told> errors() throws ReflectiveOperationException {
        Set<Told> told = new HashSet<>();
        for (Method each : ApiError.class.getDeclaredMethods()) {
            boolean factory = Modifier.isStatic(each.getModifiers())
                    && Modifier.isPublic(each.getModifiers())
                    && each.getReturnType() == ApiError.class;
            if (!factory) continue;
            boolean given = List.of(each.getParameterTypes()).contains(int.class);
            for (int status : given ? STATUSES : new int[] {0}) {
                for (Routing.Reason reason : Routing.Reason.values()) {
                    ApiError error = (ApiError) each.invoke(null, arguments(each, status, reason));
                    String code = error.code().replaceAll("_[0-9]{3}$", "_N");
                    told.add(new Told(code, error.type(), given ? 0 : error.status(), given));
                }
            }
        }
        assertThat(told).as("errors that ApiError makes").isNotEmpty();
        return told;
    }

    private static Object[] arguments(Method factory, int status, Routing.Reason reason) {
        Object[] arguments = new Object[factory.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = factory.getParameterTypes()[i];
            if (type == String.class) arguments[i] = "x";
            else if (type == int.class) arguments[i] = status;
            else if (type == long.class) arguments[i] = 1_000L;
            else if (type == RandomGenerator.class) arguments[i] = new SplittableRandom(1);
            else if (type == Routing.Reason.class) arguments[i] = reason;
            else throw new AssertionError(factory + ": no argument for " + type);
        }
        return arguments;
    }
}
