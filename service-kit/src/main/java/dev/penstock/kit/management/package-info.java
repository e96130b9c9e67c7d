/** The management port of every service and what makes it ready. No service logic. */
@NullMarked
package dev.penstock.kit.management;

import org.jspecify.annotations.NullMarked;
