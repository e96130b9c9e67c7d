/**
 * Forms with files, sound and images: what comes in is counted and hashed, and what goes out is made up. Nothing is kept of a file.
 */
@NullMarked
package dev.penstock.enginesim.media;

import org.jspecify.annotations.NullMarked;
