import { expect, test } from 'vitest';
import { clock, Progress } from './progress.ts';

function recorder(isTTY: boolean, columns = 80, rows = 24) {
  const written: string[] = [];
  return { output: { write: (text: string) => written.push(text), isTTY, columns, rows }, written };
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
  // The 10 samples after the first took 10 s, and 89 are left.
  expect(progress.timeLeft()).toBe('about 1:29 left');
  expect(written.at(-1)).toContain('11/100');
});

const table = () => ['IO delay  DCB', 'control  12.0', '5 ms     40.0'];

/** The content of a terminal after all writes: supports line feeds, cursor up and erase below. */
function screen(written: readonly string[]): string[] {
  const lines = [''];
  let row = 0;
  // oxlint-disable-next-line no-control-regex
  for (const [part] of written.join('').matchAll(/\u001b\[\d*[A-Z]|\r|\n|[^\u001b\r\n]+/g)) {
    if (part.endsWith('A') && part.startsWith('\u001b')) row -= Number(part.slice(2, -1));
    else if (part === '\u001b[J') lines.splice(row, lines.length, '');
    else if (part === '\n') lines[++row] ??= '';
    else if (part !== '\r') lines[row] += part;
  }
  return lines;
}

test('on a terminal the result so far and one bar are redrawn in place; only permanent lines scroll', () => {
  let now = 0;
  const { output, written } = recorder(true);
  const progress = new Progress(4, output, () => now);
  for (let sample = 0; sample < 3; sample++) {
    progress.status(`visit ${sample}`);
    now += 1000;
    progress.result({ table, sentence: () => 'for a file' });
    now += 1000;
    progress.advance('dcb at 5 ms');
  }
  const bar = '[###############.....] 3/4  about 0:02 left  dcb at 5 ms';
  expect(screen(written)).toEqual([...table(), bar]);
  progress.warn('the device was slow');
  progress.status('visit 3');
  const after = ['Warning: the device was slow', ...table(), bar.replace('dcb at 5 ms', 'visit 3')];
  expect(screen(written)).toEqual(after);
  progress.end();
  expect(screen(written)).toEqual(['Warning: the device was slow', '']);
});

test('the redrawn part fits a low and narrow terminal', () => {
  const { output, written } = recorder(true, 12, 3);
  const progress = new Progress(4, output);
  progress.result({ table, sentence: () => null });
  progress.advance('dcb at 5 ms');
  expect(screen(written)).toEqual(['IO delay  D', '[#####......'.slice(0, 11)]);
});

test('a phase of another pace has a time left of its own', () => {
  let now = 0;
  const { output } = recorder(true);
  const progress = new Progress(3, output, () => now);
  for (let read = 0; read < 3; read++, now += 100) progress.advance('read');
  expect(progress.timeLeft()).toBe('about 0:00 left');
  progress.phase(10);
  expect(progress.timeLeft()).toBe('');
  for (let trace = 0; trace < 4; trace++, now += 5000) progress.advance('trace');
  // Three traces after the first took 15 s until the last one; 6 are left, and 20 s have passed.
  expect(progress.timeLeft()).toBe('about 0:40 left');
});

test('lines wrap between words on a terminal only, and a warning is written once', () => {
  const line = 'the disk needs 12.5 ms for a read';
  const onTerminal = recorder(true, 20);
  new Progress(0, onTerminal.output).step(line);
  expect(screen(onTerminal.written)).toEqual(['the disk needs', '12.5 ms for a read', '']);
  const inFile = recorder(false, 20);
  const progress = new Progress(0, inFile.output);
  progress.warn(line);
  progress.warn(line);
  expect(inFile.written.join('')).toBe(`Warning: ${line}\n`);
});

test('the bar ends between words', () => {
  const { output, written } = recorder(true, 40);
  new Progress(9, output).status('Launch 1 of 4, 10ms,100Mbit/s');
  expect(screen(written)).toEqual(['[....................] 0/9  Launch 1 of']);
});

test('without a terminal a status says how long the rest takes', () => {
  let now = 0;
  const { output, written } = recorder(false);
  const progress = new Progress(4, output, () => now);
  for (let read = 0; read < 3; read++, now += 1000) progress.advance('read');
  progress.status('Launch 2 of 2');
  expect(written.join('')).toBe('Launch 2 of 2, about 0:02 left\n');
});

test('without a terminal the first result is one line, once it is known', () => {
  const { output, written } = recorder(false);
  const progress = new Progress(4, output);
  for (const sentence of [null, 'Preliminary: 12 ms', 'Preliminary: 13 ms'])
    progress.result({ table, sentence: () => sentence });
  expect(written.join('')).toBe('Preliminary: 12 ms\n');
});

test('the redrawn line fits the width of the terminal', () => {
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
