/**
 * What goes on at a replica after its request was answered: the ids that clients get for it, the way back to the replica that
 * has it, and the index that it is listed from. Nothing here decides where a request goes, and nothing is looked up in order to
 * find an owner: an id says who that is.
 */
@NullMarked
package dev.penstock.router.job;

import org.jspecify.annotations.NullMarked;
