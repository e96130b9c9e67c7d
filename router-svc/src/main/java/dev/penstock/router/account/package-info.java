/** What the router tells the others: in-flight vectors and outcomes. */
@NullMarked
package dev.penstock.router.account;

import org.jspecify.annotations.NullMarked;
