import { expect, test } from 'vitest';
import { CachescopeError } from '../error.ts';
import { withCleanUp } from './take-run.ts';

/** Records the steps in order. */
function trail() {
  const steps: string[] = [];
  const directory = { close: async () => void steps.push('directory closed') };
  const said: string[] = [];
  return { steps, directory, said, say: (line: string) => void said.push(line) };
}

test('resources are undone after the run in reverse order, and the directory is closed at the end', async () => {
  const { steps, directory, say } = trail();
  const taken = await withCleanUp(directory, say, async (resources) => {
    for (const name of ['first', 'second'])
      resources.defer(() => void steps.push(`${name} undone`));
    return { samples: 3 };
  });
  expect(taken).toEqual({ samples: 3, cleanUpError: null });
  expect(steps).toEqual(['second undone', 'first undone', 'directory closed']);
});

test('a failed clean-up loses no results', async () => {
  const { steps, directory, say } = trail();
  const taken = await withCleanUp(directory, say, async (resources) => {
    resources.defer(() => Promise.reject(new Error('busy')));
    return { samples: 3 };
  });
  expect(taken).toMatchObject({ samples: 3, cleanUpError: new Error('busy') });
  expect(steps).toEqual(['directory closed']);
});

test('the error of a failed run is thrown after the clean-up', async () => {
  const { steps, directory, say } = trail();
  const failing = withCleanUp(directory, say, async (resources) => {
    resources.defer(() => void steps.push('undone'));
    throw new Error('no browser');
  });
  await expect(failing).rejects.toThrow('no browser');
  expect(steps).toEqual(['undone', 'directory closed']);
});

const left = (what: string) =>
  new CachescopeError('CS_STORAGE_LEFT', `${what} is busy`, { hint: `sudo umount ${what}` });

test('a failed clean-up after a failed run is reported, and the error of the run is thrown', async () => {
  const { steps, directory, said, say } = trail();
  const failing = withCleanUp(directory, say, async (resources) => {
    resources.defer(() => Promise.reject(left('/a')));
    throw new Error('no browser');
  });
  await expect(failing).rejects.toThrow('no browser');
  expect(said).toEqual(['CS_STORAGE_LEFT: /a is busy\nsudo umount /a']);
  expect(steps).toEqual(['directory closed']);
});

test('several failed clean-ups are one error with all commands to type', async () => {
  const { directory, say } = trail();
  const { cleanUpError } = await withCleanUp(directory, say, async (resources) => {
    for (const what of ['/c', '/b', '/a']) resources.defer(() => Promise.reject(left(what)));
    return {};
  });
  expect(cleanUpError).toMatchObject({
    code: 'CS_STORAGE_LEFT',
    exitCode: 5,
    message: '/a is busy; then /b is busy; then /c is busy',
    hint: 'sudo umount /a\nsudo umount /b\nsudo umount /c',
  });
});
