/**
 * A private channel between the extension's two worlds in a page. The worlds share only the DOM, which the page shares
 * too. So a MessagePort is handed over by DOM events before any page script runs (both content scripts run at
 * document_start). Afterwards this document's scripts can neither see nor send a message: they hold neither end of the
 * port.
 *
 * In a window that the page opens in its own origin (`javascript:""`, srcdoc, blob frames) the page may listen before
 * the content scripts run, and can take the port of that window. So such a window answers nothing: only the document
 * that the instrument opened does (`isolated-world.ts`).
 *
 * Either script may run first: the main world offers the port at once, and again when the isolated world asks.
 */
const offerEvent = 'cachescope-offer';
const askEvent = 'cachescope-ask';

/** Main world: creates the channel, keeps one end and hands over the other. */
export function offerPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const offer = (): boolean =>
    dispatchEvent(new MessageEvent(offerEvent, { ports: [port2], cancelable: true }));
  // Taking an offer cancels its event; an offer that was not taken is repeated on request.
  if (offer()) addEventListener(askEvent, offer, { once: true });
  return port1;
}

/** Isolated world: takes the port. */
export function takePort(): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = (event: Event): void => {
      const port = event instanceof MessageEvent ? event.ports[0] : undefined;
      if (!port) return;
      event.preventDefault();
      // The page's scripts must not see the event, even if they guess its name.
      event.stopImmediatePropagation();
      removeEventListener(offerEvent, take);
      resolve(port);
    };
    addEventListener(offerEvent, take);
    dispatchEvent(new Event(askEvent));
  });
}
