/** What a router decides by itself about a replica that fails: out at once, back by own connect and one request at a time. */
@NullMarked
package dev.penstock.core.quarantine;

import org.jspecify.annotations.NullMarked;
