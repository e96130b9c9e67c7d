/** Which session a request belongs to, and the pins that all routers share through Redis. No lookup is on a request's way. */
@NullMarked
package dev.penstock.router.session;

import org.jspecify.annotations.NullMarked;
