/**
 * Takes a run with a stack of what is to be undone after it, last first. What could not be undone is told beside what was
 * taken, which is sound all the same; null when nothing is left behind.
 *
 * @throws what `take` throws, after everything has been undone.
 */
export async function withCleanUp<Taken extends object>(
  directory: { close(): Promise<void> },
  take: (resources: AsyncDisposableStack) => Promise<Taken>,
): Promise<Taken & { cleanUpError: unknown }> {
  const resources = new AsyncDisposableStack();
  resources.defer(() => directory.close());
  let taken: Taken;
  try {
    taken = await take(resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
  const cleanUpError = await resources.disposeAsync().then(
    () => null,
    (error: unknown) => error,
  );
  return { ...taken, cleanUpError };
}
