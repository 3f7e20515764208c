import { expect, test } from 'vitest';
import { parseStrace } from './syscall-watch.ts';

const cache = '/tmp/disk/cache/Default/Cache/Cache_Data/2b15e560b7cf6c9c';

test('calls on files are parsed with their time, offset and result', () => {
  const calls =
    parseStrace(`1763746276.766273 openat(AT_FDCWD</root>, "${cache}_0", O_RDWR) = 123<${cache}_0> <0.018230>
1763746276.785000 openat(AT_FDCWD</root>, "${cache}_1", O_RDWR) = -1 ENOENT (No such file or directory) <0.000020>
1763746276.786000 fstat(123<${cache}_0>, {st_mode=S_IFREG|0600, st_size=1049259, ...}) = 0 <0.000011>
1763746276.790000 pread64(123<${cache}_0>, ""..., 65536, 127) = 65536 <0.005800>
1763746276.800000 read(9</root/p/Default/Shared Dictionary/cache/1f_0>, ""..., 4096) = 900 <0.000100>
`);
  expect(calls).toEqual([
    {
      name: 'openat',
      beginUs: 1763746276766273,
      endUs: 1763746276784503,
      file: '2b15e560b7cf6c9c_0',
      kind: 'cache',
      bytes: null,
      offset: null,
    },
    expect.objectContaining({ file: '2b15e560b7cf6c9c_1', error: 'ENOENT', bytes: null }),
    expect.objectContaining({ name: 'fstat', file: '2b15e560b7cf6c9c_0', bytes: null }),
    expect.objectContaining({ name: 'pread64', bytes: 65536, offset: 127 }),
    expect.objectContaining({ kind: 'dictionary', file: '1f_0', bytes: 900, offset: null }),
  ]);
});

test('sockets, pipes and pseudo-files are not files; a truncated line is not a call', () => {
  const text = `1763746276.766273 read(5<socket:[3344]>, ""..., 8) = 8 <0.000010>
1763746276.766273 read(5<pipe:[12]>, ""..., 8) = 8 <0.000010>
1763746276.766273 openat(AT_FDCWD</>, "/proc/self/maps", O_RDONLY) = 5</proc/self/maps> <0.000010>
1763746276.790000 pread64(123<${cache}_0>, ""..., 655`;
  expect(parseStrace(text)).toEqual([]);
});

test('a failed read returned no bytes', () => {
  const text = `1763746276.79 x
1763746276.790000 pread64(123<${cache}_0>, 0x7f, 65536, 127) = -1 EIO (Input/output error) <0.005800>`;
  expect(parseStrace(text)).toMatchObject([{ bytes: null, error: 'EIO', offset: 127 }]);
});
