import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import { expect, test } from 'vitest';
import { MicroDesk } from './desk.ts';

const ready: MicroMessage = { kind: 'ready', timerStepMs: 0.005, crossOriginIsolated: true };
const done: MicroMessage = { kind: 'done', timed: null };
const clear: MicroTask = { kind: 'clear', cache: 'disk' };

test('a page gets the task that is meant for it, and its outcome comes back', async () => {
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

test('a page that nobody expects is sent away', async () => {
  expect(await new MicroDesk().next('stranger', ready)).toEqual({ kind: 'end' });
});

test('a page that works gets no second task', async () => {
  const desk = new MicroDesk();
  desk.announce('one');
  void desk.next('one', ready);
  void desk.perform('one', clear);
  await expect(desk.perform('one', clear)).rejects.toThrow(/already has a task/);
});

test('a dismissed page asks for no more', async () => {
  const desk = new MicroDesk();
  desk.announce('one');
  const task = desk.next('one', ready);
  desk.dismiss('one');
  expect(await task).toEqual({ kind: 'end' });
  expect(() => desk.message('one')).toThrow(/no page one/);
});
