import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { inputFormats } from './input-formats.ts';
import type { MadeInputs } from './made-inputs.ts';

const run = promisify(execFile);

/**
 * Number of inputs of each format: by default enough to find frequent failures. For a long run:
 * CACHESCOPE_MADE_INPUTS=100000 CACHESCOPE_MADE_INPUTS_SEED=1 (harness/docs/security.md).
 */
const inputs = Number(process.env['CACHESCOPE_MADE_INPUTS'] ?? 1000);
const seed = process.env['CACHESCOPE_MADE_INPUTS_SEED'] ?? '1';
/** Processor time in ms, so that a busy machine fails no test. */
const longestMs = 5000;
const mostMemoryMiB = 512;

test.each(Object.keys(inputFormats))('mutated inputs: %s', async (name) => {
  const program = join(import.meta.dirname, 'made-inputs.ts');
  const { stdout } = await run(process.execPath, [program, name, `${inputs}`, seed]);
  const found = JSON.parse(stdout) as MadeInputs;
  expect(found.stacks).toEqual([]);
  expect(found.inputs).toBe(inputs);
  // All these commands refuse a file with the exit code for usage errors.
  expect(Object.keys(found.refused).filter((code) => code !== '2')).toEqual([]);
  expect(found.slowestMs, `seed ${found.slowestSeed}`).toBeLessThan(longestMs);
  expect(found.memoryMiB).toBeLessThan(mostMemoryMiB);
});
