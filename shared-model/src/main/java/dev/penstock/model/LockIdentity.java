package dev.penstock.model;

/**
 * A kernel's lock on one file. The kernel gives it to one process at a time and takes it back when that process is gone, so
 * whoever has it proves that all who had it before are dead. A file that is open keeps its inode, so one that is made anew
 * meanwhile is another.
 *
 * @param bootId of the kernel: locks do not outlive it, and file systems of two hosts are told apart
 */
public record LockIdentity(String bootId, long device, long inode) {}
