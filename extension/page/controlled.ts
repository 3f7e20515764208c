/** Whether a service worker controls this document. A sandboxed document has no service worker, and throws when navigator.serviceWorker is read. */
export function isControlled(): boolean {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    return false;
  }
}
