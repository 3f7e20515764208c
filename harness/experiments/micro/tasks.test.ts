import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import { expect, test } from 'vitest';
import { MicroTasks } from './tasks.ts';

const ready: MicroMessage = { kind: 'ready', timerStepMs: 0.005, crossOriginIsolated: true };
const done: MicroMessage = { kind: 'done', timed: null };
const clear: MicroTask = { kind: 'clear', cache: 'disk' };

test('a page gets its own task, and its result comes back', async () => {
  const tasks = new MicroTasks();
  const one = tasks.announce('one');
  tasks.announce('other');
  const taskOfOne = tasks.next('one', ready);
  void tasks.next('other', ready);
  expect(await one.message).toEqual(ready);
  const outcome = one.perform(clear);
  expect(await taskOfOne).toEqual(clear);
  void tasks.next('one', done);
  expect(await outcome).toEqual(done);
});

test('an unknown page is asked to end', async () => {
  expect(await new MicroTasks().next('stranger', ready)).toEqual({ kind: 'end' });
});

test('a page with a task gets no second task', async () => {
  const tasks = new MicroTasks();
  const one = tasks.announce('one');
  void tasks.next('one', ready);
  void one.perform(clear);
  await expect(one.perform(clear)).rejects.toThrow(/already has a task/);
});

test('a page that is asked to end gets no other task', async () => {
  const tasks = new MicroTasks();
  const one = tasks.announce('one');
  const task = tasks.next('one', ready);
  one.end({ kind: 'end' });
  expect(await task).toEqual({ kind: 'end' });
});
