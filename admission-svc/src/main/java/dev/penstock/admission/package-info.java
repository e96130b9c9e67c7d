/** The admission service: how models are served, and which router may admit how much. Its parts are in the packages below. */
@NullMarked
package dev.penstock.admission;

import org.jspecify.annotations.NullMarked;
