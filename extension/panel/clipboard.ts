/**
 * Copies a text. DevTools denies its panels the asynchronous clipboard API, so execCommand is tried first.
 *
 * @throws Error when the browser allows neither.
 */
export async function copyText(text: string): Promise<void> {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way inside DevTools
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) await navigator.clipboard.writeText(text);
}
