/**
 * Sessions: what a session is known by, which replica it is pinned to, and where one without a pin goes. Rules and tables
 * only; who tells other routers is behind {@link dev.penstock.core.session.PinStore}.
 */
@NullMarked
package dev.penstock.core.session;

import org.jspecify.annotations.NullMarked;
