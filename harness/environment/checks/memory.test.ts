import { testFindings } from '../made-up-machine.ts';
import { memory, swap } from './memory.ts';

testFindings([
  [memory, { '/proc/meminfo': 'MemAvailable:    2097152 kB' }, 'ok', /^2\.0 GiB/],
  [memory, { '/proc/meminfo': 'MemAvailable:    2097151 kB' }, 'warning', /^2\.0 GiB/],
  [memory, { '/proc/meminfo': 'MemAvailable:     524287 kB' }, 'refused', /^0\.5 GiB/],
  [memory, { '/proc/meminfo': 'MemFree: 99999999 kB' }, 'unknown', /unknown/],
  [swap, { '/proc/meminfo': 'SwapTotal: 0 kB\nSwapFree: 0 kB' }, 'ok', /No swap/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB\nSwapFree: 8192 kB' }, 'ok', /not in use/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB\nSwapFree: 4096 kB' }, 'warning', /^4 MiB/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB' }, 'unknown', /unknown/],
]);
