/** Documents that are held to the code. Test code only. */
@NullMarked
package dev.penstock.docs;

import org.jspecify.annotations.NullMarked;
