/** KEDA's external scaler. Answers from memory; decides nothing. */
@NullMarked
package dev.penstock.advisor.keda;

import org.jspecify.annotations.NullMarked;
