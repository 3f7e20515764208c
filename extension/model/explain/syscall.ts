import * as z from 'zod/mini';

/** One system call of the network service on a file: the fourth witness of a traced read. */
export const syscallSchema = z.object({
  /** Name as in syscalls(2): `openat`, `pread64`, `fstat`. */
  name: z.string(),
  /** Time since the page requested the resource, ms. */
  startMs: z.number(),
  endMs: z.number(),
  /** Name of the file without its directory; null when the call has no file name. */
  file: z.nullable(z.string()),
  /** Kind of file: an entry of the HTTP cache, a dictionary of the profile, or another file. */
  kind: z.enum(['cache', 'dictionary', 'other']),
  /** Bytes read or written; null for calls that do neither, and for failed calls. */
  bytes: z.nullable(z.number()),
  /** Offset in the file, bytes; null when the call has none. */
  offset: z.nullable(z.number()),
  /** Error code, for example `ENOENT`; absent when the call succeeded. */
  error: z.optional(z.string()),
});
export type Syscall = z.infer<typeof syscallSchema>;
