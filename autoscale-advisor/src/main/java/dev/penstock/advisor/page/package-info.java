/** Pages of the management port. */
@NullMarked
package dev.penstock.advisor.page;

import org.jspecify.annotations.NullMarked;
