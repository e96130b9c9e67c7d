@NullMarked
package dev.penstock.router.job;

import org.jspecify.annotations.NullMarked;
