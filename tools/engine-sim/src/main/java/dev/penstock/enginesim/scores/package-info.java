/**
 * What reranking, scoring, classification and pooling answer. Pure: numbers depend on the text alone.
 */
@NullMarked
package dev.penstock.enginesim.scores;

import org.jspecify.annotations.NullMarked;
