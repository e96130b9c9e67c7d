/** Why a request went where it went: decisions as they were made, and made again. Knows the pick; the pick knows nothing of it. */
@NullMarked
package dev.penstock.core.explain;

import org.jspecify.annotations.NullMarked;
