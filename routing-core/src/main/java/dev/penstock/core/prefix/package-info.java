/** Which replica has the beginning of a prompt in its cache: hashes of prompts, and a bounded table of who had them. Pure. */
@NullMarked
package dev.penstock.core.prefix;

import org.jspecify.annotations.NullMarked;
