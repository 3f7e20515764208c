/**
 * A private line between the extension's two worlds of one page. The only thing they share is the DOM, which the page
 * shares too, so a MessagePort is handed over by DOM events while no page script has run yet (both content scripts run
 * at document_start). Afterwards this document's scripts can neither see nor send a message: they hold no end of the port.
 *
 * In a window that the page opens in its own origin (`javascript:""`, srcdoc, blob frames) the page may listen before the
 * scripts run, and can take the port of that window. So such a window answers nothing: only the document that the instrument
 * opened does (`isolated-world.ts`).
 *
 * Either script may run first: the main world offers the port at once and again when the isolated world asks.
 */
const offerEvent = 'cachescope-offer';
const askEvent = 'cachescope-ask';

/** Main world: makes the channel, keeps one end, hands over the other. */
export function offerPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const offer = (): boolean =>
    dispatchEvent(new MessageEvent(offerEvent, { ports: [port2], cancelable: true }));
  // A taken offer is cancelled; an offer that nobody took waits to be asked for.
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
      // The page's scripts must not see it, even if they listen by a guess.
      event.stopImmediatePropagation();
      removeEventListener(offerEvent, take);
      resolve(port);
    };
    addEventListener(offerEvent, take);
    dispatchEvent(new Event(askEvent));
  });
}
