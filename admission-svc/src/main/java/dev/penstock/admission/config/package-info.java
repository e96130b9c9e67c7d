/** The admission service's part of the configuration, and the models that it watches in the file. Knows nothing of Kafka. */
@NullMarked
package dev.penstock.admission.config;

import org.jspecify.annotations.NullMarked;
