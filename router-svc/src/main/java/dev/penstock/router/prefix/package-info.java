/** Which replica has computed which prompt prefix: what this router sent where, told to the others, and heard of them. */
@NullMarked
package dev.penstock.router.prefix;

import org.jspecify.annotations.NullMarked;
