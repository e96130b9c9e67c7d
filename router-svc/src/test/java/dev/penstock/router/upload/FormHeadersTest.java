package dev.penstock.router.upload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FormHeadersTest {
    @Test
    void a_boundary_is_taken_with_and_without_quotes() {
        assertThat(Boundary.of("multipart/form-data; boundary=abc")).isEqualTo("abc");
        assertThat(Boundary.of("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"a b;c\""))
                .isEqualTo("a b;c");
        assertThat(Boundary.of("multipart/form-data; boundary=" + "x".repeat(70)))
                .hasSize(70);
    }

    @Test
    void a_boundary_that_can_not_be_one_is_none() {
        assertThat(Boundary.of("multipart/form-data")).isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=")).isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=\"a \"")).isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=\"abc")).isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=a; boundary=b")).isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=" + "x".repeat(71)))
                .isNull();
        assertThat(Boundary.of("multipart/form-data; boundary=\u00e9")).isNull();
    }

    @Test
    void only_forms_are_forms() {
        assertThat(Boundary.isForm("multipart/form-data")).isTrue();
        assertThat(Boundary.isForm(" Multipart/FORM-data ; boundary=a")).isTrue();
        assertThat(Boundary.isForm("multipart/form-data-x")).isFalse();
        assertThat(Boundary.isForm("multipart/mixed; boundary=a")).isFalse();
        assertThat(Boundary.isForm(null)).isFalse();
    }

    @Test
    void names_are_read_as_engines_read_them() {
        assertThat(name("form-data; name=\"model\"")).isEqualTo("model");
        assertThat(name("form-data; name=model; x=y")).isEqualTo("model");
        assertThat(name("form-data;NAME=\"a\\\"b\"")).isEqualTo("a\"b");
        assertThat(name("form-data; name=\"mod\\el\"")).isEqualTo("mod\\el");
        assertThat(name("form-data; x=\"; name=stream\"; name=\"model\"")).isEqualTo("model");
        assertThat(name("form-data")).isNull();
    }

    @Test
    void a_file_is_told_by_its_name() {
        assertThat(parse("Content-Disposition: form-data; name=\"file\"; filename=\"\"\r\n"))
                .isEqualTo(new PartHead("file", true));
        assertThat(parse("Content-Disposition: form-data; name=\"file\"; filename*=utf-8''a\r\n"))
                .isEqualTo(new PartHead("file", true));
        assertThat(parse("Content-Type: text/plain\r\ncontent-disposition: form-data; name=a\r\n"))
                .isEqualTo(new PartHead("a", false));
        assertThat(parse("Content-Disposition: form-data;\r\n name=\"model\"\r\nX: y\r\n"))
                .isEqualTo(new PartHead("model", false));
        assertThat(parse("")).isEqualTo(new PartHead(null, false));
    }

    @Test
    void what_may_be_read_in_two_ways_is_not_read() {
        assertThat(parse("Content-Disposition: form-data; name*=utf-8''model\r\n"))
                .isNull();
        assertThat(parse("Content-Disposition: form-data; name*0=mo; name*1=del\r\n"))
                .isNull();
        assertThat(parse("Content-Disposition: form-data; name=a; name=model\r\n"))
                .isNull();
        assertThat(parse("Content-Disposition: form-data; name=\"model\r\n")).isNull();
        assertThat(parse("Content-Disposition: form-data; name=\"model\"x\r\n")).isNull();
        assertThat(parse("Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=model\r\n"))
                .isNull();
    }

    @Test
    void parameters_are_a_map() {
        assertThat(HeaderValue.parse("Form-Data; a=1 ;; B=\"2\" ;"))
                .isEqualTo(new HeaderValue("form-data", Map.of("a", "1", "b", "2")));
    }

    private static @Nullable String name(String disposition) {
        PartHead part = parse("Content-Disposition: " + disposition + "\r\n");
        assertThat(part).isNotNull();
        return part == null ? null : part.name();
    }

    private static @Nullable PartHead parse(String lines) {
        byte[] bytes = lines.getBytes(UTF_8);
        return PartHead.parse(bytes, bytes.length);
    }
}
