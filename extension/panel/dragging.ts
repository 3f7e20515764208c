/** Calls back with the horizontal distance from the start, px, while the pointer drags the element of the event. */
export function followDrag(event: PointerEvent, moved: (byPx: number) => void): void {
  const handle = event.currentTarget as HTMLElement;
  const move = ({ clientX }: PointerEvent): void => moved(clientX - event.clientX);
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener('pointermove', move);
  const end = (): void => handle.removeEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', end, { once: true });
}
