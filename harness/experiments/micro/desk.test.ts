import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import { expect, test } from 'vitest';
import { MicroDesk } from './desk.ts';

const ready: MicroMessage = { kind: 'ready', timerStepMs: 0.005, crossOriginIsolated: true };
const done: MicroMessage = { kind: 'done', timed: null };
const clear: MicroTask = { kind: 'clear', cache: 'disk' };

test('a page gets its own task, and its result comes back', async () => {
  const desk = new MicroDesk();
  desk.announce('one');
  desk.announce('other');
  const taskOfOne = desk.next('one', ready);
  void desk.next('other', ready);
  expect(await desk.message('one')).toEqual(ready);
  const outcome = desk.perform('one', clear);
  expect(await taskOfOne).toEqual(clear);
  void desk.next('one', done);
  expect(await outcome).toEqual(done);
});

test('an unknown page is asked to end', async () => {
  expect(await new MicroDesk().next('stranger', ready)).toEqual({ kind: 'end' });
});

test('a page with a task gets no second task', async () => {
  const desk = new MicroDesk();
  desk.announce('one');
  void desk.next('one', ready);
  void desk.perform('one', clear);
  await expect(desk.perform('one', clear)).rejects.toThrow(/already has a task/);
});

test('a dismissed page gets no more tasks', async () => {
  const desk = new MicroDesk();
  desk.announce('one');
  const task = desk.next('one', ready);
  desk.dismiss('one');
  expect(await task).toEqual({ kind: 'end' });
  expect(() => desk.message('one')).toThrow(/no page one/);
});
