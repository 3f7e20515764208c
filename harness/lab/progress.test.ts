import { expect, test } from 'vitest';
import { clock, Progress } from './progress.ts';

function recorder(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { output: { write: (text: string) => written.push(text), isTTY, columns }, written };
}

test('without a terminal only whole lines without escape codes are written', () => {
  const { output, written } = recorder(false);
  const progress = new Progress(10, output);
  progress.step('Visit 1 of 2');
  progress.advance('dcb at 5 ms');
  progress.warn('the device was slow');
  expect(written.join('')).toBe('Visit 1 of 2\nWarning: the device was slow\n');
});

test('the time left follows from the pace so far', () => {
  let now = 0;
  const { output, written } = recorder(true);
  const progress = new Progress(100, output, () => now);
  progress.advance('a');
  for (let sample = 1; sample < 11; sample++) {
    now += 1000;
    progress.advance('a');
  }
  // The 10 samples behind the first took 10 s, and 89 are left.
  expect(progress.timeLeft()).toBe('about 1:29 left');
  expect(written.at(-1)).toContain('11/100');
});

test('the redrawn line stays within the terminal', () => {
  const { output, written } = recorder(true, 20);
  new Progress(10, output).advance('a label that is longer than the terminal');
  expect(written.at(-1)?.length).toBeLessThan(20);
});

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [95, '1:35'],
  [3600, '60:00'],
  [-5, '0:00'],
])('%d s are shown as %s', (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});
