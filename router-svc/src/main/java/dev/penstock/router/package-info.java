/** The stateless OpenAI-compatible front. Start reading at {@link dev.penstock.router.RouterWiring}. */
@NullMarked
package dev.penstock.router;

import org.jspecify.annotations.NullMarked;
