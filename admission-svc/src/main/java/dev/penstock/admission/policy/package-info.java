/** Policies as they were read back, and the owner that publishes them. The only writer of the policy topic. */
@NullMarked
package dev.penstock.admission.policy;

import org.jspecify.annotations.NullMarked;
