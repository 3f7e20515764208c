import * as z from 'zod/mini';

/** One system call of the network service on a file: the fourth witness of a traced read. */
export const syscallSchema = z.object({
  /** Name as in syscalls(2): `openat`, `pread64`, `fstat`. */
  name: z.string(),
  /** Since the page asked for the resource, ms. */
  startMs: z.number(),
  endMs: z.number(),
  /** Name of the file without its directory; null when the call names none. */
  file: z.nullable(z.string()),
  /** What kind of file: an entry of the HTTP cache, a dictionary of the profile, or neither. */
  kind: z.enum(['cache', 'dictionary', 'other']),
  /** Bytes that were read or written; null for calls that do neither, and for ones that failed. */
  bytes: z.nullable(z.number()),
  /** Place in the file, bytes; null when the call does not name one. */
  offset: z.nullable(z.number()),
  /** `ENOENT` and the like; absent when it succeeded. */
  error: z.optional(z.string()),
});
export type Syscall = z.infer<typeof syscallSchema>;
