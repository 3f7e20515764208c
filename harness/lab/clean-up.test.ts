import { expect, test } from 'vitest';
import { withCleanUp } from './take-run.ts';

/** Records the steps in order. */
function trail() {
  const steps: string[] = [];
  const directory = { close: async () => void steps.push('directory closed') };
  return { steps, directory };
}

test('resources are undone after the run in reverse order, and the directory is closed at the end', async () => {
  const { steps, directory } = trail();
  const taken = await withCleanUp(directory, async (resources) => {
    for (const name of ['first', 'second'])
      resources.defer(() => void steps.push(`${name} undone`));
    return { samples: 3 };
  });
  expect(taken).toEqual({ samples: 3, cleanUpError: null });
  expect(steps).toEqual(['second undone', 'first undone', 'directory closed']);
});

test('a failed clean-up loses no results', async () => {
  const { steps, directory } = trail();
  const taken = await withCleanUp(directory, async (resources) => {
    resources.defer(() => Promise.reject(new Error('busy')));
    return { samples: 3 };
  });
  expect(taken).toMatchObject({ samples: 3, cleanUpError: new Error('busy') });
  expect(steps).toEqual(['directory closed']);
});

test('the error of a failed run is thrown after the clean-up', async () => {
  const { steps, directory } = trail();
  const failing = withCleanUp(directory, async (resources) => {
    resources.defer(() => void steps.push('undone'));
    throw new Error('no browser');
  });
  await expect(failing).rejects.toThrow('no browser');
  expect(steps).toEqual(['undone', 'directory closed']);
});
