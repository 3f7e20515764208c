import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FifoQueue } from './fifo-queue.ts';

test('behaves like a list of keys under any sequence of operations', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('push', 'shift', 'delete'), fc.integer({ min: 0, max: 5 })),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(steps, (trace) => {
      const queue = new FifoQueue<number>();
      let list: [string, number][] = [];
      for (const [index, [action, number]] of trace.entries()) {
        const key = `${number}`;
        const others = list.filter(([each]) => each !== key);
        if (action === 'shift') expect(queue.shift()).toEqual(list.shift());
        else if (action === 'push') {
          queue.push(key, index);
          list = [...others, [key, index]];
        } else {
          expect(queue.delete(key)).toBe(list.find(([each]) => each === key)?.[1]);
          list = others;
        }
        expect(queue.size).toBe(list.length);
      }
    }),
  );
});

test('the processor time of taking the first entry does not depend on the number of deleted entries', () => {
  const taken = (size: number) => {
    const queue = new FifoQueue<number>();
    for (let key = 0; key < size; key++) queue.push(`${key}`, key);
    const before = process.cpuUsage();
    for (let key = 0; key < size / 2; key++) queue.shift();
    return process.cpuUsage(before).user / 1000;
  };
  const least = (size: number) => Math.min(taken(size), taken(size));
  // Taking half of 100,000 entries needs 20 ms; if each step skipped all deleted entries, more than a second.
  expect(least(100_000)).toBeLessThan(40 * least(10_000) + 200);
});
