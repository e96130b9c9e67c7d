package dev.penstock.router.endings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.router.cases.CaseExtension;
import dev.penstock.router.cases.CaseInfra;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever ends a request in whatever phase, it is settled once. All rows are played at the same time, each on a model of its own. */
@ExtendWith(CaseExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class EndingsTest {
    private static final int AT_ONCE = 10;
    private static final Duration AT_REST = Duration.ofSeconds(10);
    /** Both ends of what the test itself asks the management port on, and of what else runs in this process; rows are more. */
    private static final int SLACK = 64;

    private final Queue<RowRun.Closed> closed = new ConcurrentLinkedQueue<>();
    private RouterScene scene;
    private Books books;
    private long socketsBefore;

    @BeforeAll
    void open(CaseInfra infra) {
        StringBuilder yaml = new StringBuilder("models:\n");
        List<Row> rows = Rows.all();
        for (int i = 0; i < rows.size(); i++) yaml.append(rows.get(i).contract().model(model(i)));
        scene = RouterScene.start(infra, "endings", yaml.toString());
        books = Books.open(scene);
        socketsBefore = OpenSockets.count();
    }

    @AfterAll
    void close() throws Exception {
        books.close();
        scene.close();
    }

    @TestFactory
    Stream<DynamicTest> each_ending_settles_once() {
        List<Row> rows = Rows.all();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Semaphore places = new Semaphore(AT_ONCE);
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            RowRun run = new RowRun(scene, books, rows.get(i), model(i));
            Future<Boolean> played = threads.submit(() -> {
                places.acquire();
                try {
                    return closed.add(run.play());
                } finally {
                    places.release();
                }
            });
            tests.add(DynamicTest.dynamicTest(
                    rows.get(i).toString(), () -> assertThat(resultOf(played)).isTrue()));
        }
        tests.add(DynamicTest.dynamicTest("nothing is left of all of them", () -> {
            threads.close();
            nothing_is_left();
        }));
        return tests.stream();
    }

    private void nothing_is_left() {
        Await.value("nothing is known of any", AT_REST, scene::running, count -> count == 0);
        Await.value("no body is held", AT_REST, () -> scene.metric("penstock_router_body_bytes"), count -> count == 0);
        assertThat(books.lowest()).as("in flight").isZero();
        assertThat(closed).hasSameSizeAs(Rows.all());
        assertThat(scene.outcomes().counts()).isEqualTo(allOutcomes());
        for (RowRun.Closed each : closed) {
            assertThat(books.hasOutcomes(each.numbers(), each.outcomes()))
                    .as(each.model())
                    .isTrue();
            assertThat(books.demand(each.model())).as(each.model()).isEqualTo(each.demand());
        }
        Await.value(
                "sockets are closed, of " + socketsBefore,
                AT_REST,
                OpenSockets::count,
                count -> count <= socketsBefore + SLACK);
    }

    /** What all rows together must have counted. */
    private static Map<String, Long> allOutcomes() {
        Map<String, Long> sum = new TreeMap<>();
        for (Row row : Rows.all()) {
            row.allOutcomes().forEach((outcome, count) -> sum.merge(outcome, count, Long::sum));
        }
        return sum;
    }

    private static boolean resultOf(Future<Boolean> played) throws Throwable {
        try {
            return played.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static String model(int row) {
        return "endings/" + row;
    }
}
