/**
 * Reads what a multipart form says of its request while it comes in: which model, where its value is, a stream or not. Holds
 * no body and knows no connection; what is done with the bytes is the ingress's.
 */
@NullMarked
package dev.penstock.router.upload;

import org.jspecify.annotations.NullMarked;
