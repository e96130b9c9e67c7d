/** What is published and what was published: the owner's ticks and everybody's memory. No server. */
@NullMarked
package dev.penstock.advisor.advice;

import org.jspecify.annotations.NullMarked;
