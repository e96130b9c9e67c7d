/** From a client's bytes to a decision: listener, body, peek, answers of the router's own. */
@NullMarked
package dev.penstock.router.ingress;

import org.jspecify.annotations.NullMarked;
