/**
 * A JSON request body: kept as it came, read once while it comes, sent as often as it takes. No header, status or engine is
 * known here.
 */
@NullMarked
package dev.penstock.router.body;

import org.jspecify.annotations.NullMarked;
