import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Traces } from './observations.ts';

const own = 'cachescope-';

function linesOf(program: string, args: readonly string[]): string[] {
  return execFileSync(program, args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

/**
 * The output of dmsetup, losetup and findmnt, and the temporary directory. Devices of any program count: nothing else
 * runs in the guest.
 */
export function traces(): Traces {
  return {
    deviceMapper: linesOf('dmsetup', ['ls']).filter((line) => line !== 'No devices found'),
    loops: linesOf('losetup', ['--list', '--noheadings']),
    mounts: linesOf('findmnt', ['-rn', '-o', 'TARGET']).filter((line) => line.includes(own)),
    directories: readdirSync(tmpdir()).filter((name) => name.startsWith(own)),
  };
}
