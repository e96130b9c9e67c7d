/** The advisor: demand in, replicas wanted out. Parts list and life cycle; each part has a package of its own. */
@NullMarked
package dev.penstock.advisor;

import org.jspecify.annotations.NullMarked;
