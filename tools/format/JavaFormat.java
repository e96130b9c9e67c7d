import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks or applies the Java format of the whole repository: {@code JavaFormat.java check|apply ROOT}. A single source
 * file run by {@code java} on the build's JDK 25, since the formatter parses with the javac of the JVM it runs in.
 */
final class JavaFormat {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".penstock", "node_modules");

    public static void main(String[] args) throws Exception {
        boolean apply = args[0].equals("apply");
        Path root = Path.of(args[1]);
        Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .build());
        List<Path> wrong = new ArrayList<>();
        for (Path file : javaFiles(root)) {
            String before = Files.readString(file);
            String after;
            try {
                after = formatter.formatSourceAndFixImports(before);
            } catch (Exception e) {
                System.err.println("cannot parse " + root.relativize(file) + ": " + e.getMessage());
                wrong.add(file);
                continue;
            }
            if (!after.equals(before)) {
                wrong.add(file);
                if (apply) Files.writeString(file, after);
            }
        }
        if (apply) {
            System.out.println("formatted " + wrong.size() + " files");
        } else if (!wrong.isEmpty()) {
            wrong.forEach(file -> System.err.println("not formatted: " + root.relativize(file)));
            System.err.println("run: mvn -Pformat -N process-sources");
            System.exit(1);
        }
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        return files;
    }
}
