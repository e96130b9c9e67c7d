package dev.penstock.router.upload;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a whole form says, by a pattern over all of it: what the scanner is held to. */
final class NaiveForm {
    final FormFields fields = new FormFields();

    @Nullable
    FormFault fault;

    /** Behind the fault, or behind the final boundary. */
    NaiveForm(byte[] body, String boundary) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        Matcher delimiter = Pattern.compile("(?:\\A|\r\n)--" + Pattern.quote(boundary) + "(--|[ \t]*\r\n)")
                .matcher(text);
        boolean found = delimiter.find();
        while (found && !delimiter.group(1).equals("--")) {
            int head = delimiter.end();
            int content = text.startsWith("\r\n", head) ? head + 2 : text.indexOf("\r\n\r\n", head) + 4;
            int length = (content < 4 ? text.length() : content) - head;
            if (length > MultipartScan.MOST_HEAD_BYTES) {
                fault = FormFault.HEADERS_TOO_LONG;
                return;
            }
            if (content < 4) break;
            byte[] lines = text.substring(head, content - 2).getBytes(StandardCharsets.ISO_8859_1);
            PartHead part = PartHead.parse(lines, lines.length);
            if (part == null) {
                fault = FormFault.HEADERS_UNCLEAR;
                return;
            }
            found = delimiter.find(content);
            // "\A" is where the text begins, not where the search does.
            FormFields.Field field = FormFields.Field.of(part);
            if (!found || field == null) continue;
            byte[] value = text.substring(content, delimiter.start()).getBytes(StandardCharsets.ISO_8859_1);
            fault = fields.take(field, value, content, value.length);
            if (fault != null) return;
        }
        if (!found || !delimiter.group(1).equals("--")) fault = FormFault.NO_END;
        else if (fields.model() == null) fault = FormFault.NO_MODEL;
    }
}
