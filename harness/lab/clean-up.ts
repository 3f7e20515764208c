/**
 * Takes a run with a stack of resources that are disposed after it, in reverse order. A clean-up error is returned
 * beside the result, which remains valid; null when nothing is left behind.
 *
 * @throws the error of `take`, after everything has been disposed.
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
