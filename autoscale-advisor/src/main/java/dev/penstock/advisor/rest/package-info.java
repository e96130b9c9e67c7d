/** The REST API. Answers from memory; decides nothing. */
@NullMarked
package dev.penstock.advisor.rest;

import org.jspecify.annotations.NullMarked;
