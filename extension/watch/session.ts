import { requestEvents } from '../background/network-events.ts';

/**
 * A session of the DevTools protocol with a page, as Puppeteer's CDPSession, Playwright's CDPSession and
 * chrome-remote-interface have it.
 */
export interface CdpSession {
  // oxlint-disable-next-line typescript/no-explicit-any
  send(method: any, parameters?: any): Promise<unknown>;
  // Each library has its own types of events.
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: any, hear: (event: any) => void): unknown;
}

/** Why a page can no longer be watched, or did not load. */
export class WatchError extends Error {
  /** Stable: `CS_WATCH_GONE` or `CS_WATCH_TIMEOUT`. */
  readonly code: 'CS_WATCH_GONE' | 'CS_WATCH_TIMEOUT';

  constructor(code: WatchError['code'], message: string) {
    super(`${code}: ${message}`);
    this.name = 'WatchError';
    this.code = code;
  }
}

/** A target of a watched page: itself, or one of its frames and workers. */
export interface WatchedTarget {
  /** Empty for the page itself. */
  id: string;
  /** `worker`, `iframe` and so on; empty for the page itself. */
  type: string;
  send(method: string, parameters?: object): Promise<unknown>;
}

const ofPage = [
  'Page.frameNavigated',
  'Runtime.bindingCalled',
  'Inspector.targetCrashed',
  'Inspector.detached',
];

interface Message {
  id?: number;
  method?: string;
  params?: object;
  error?: { message: string };
}

/**
 * Follows a page and the targets that belong to it. Their messages go through the page's session (`flatten: false`), so
 * that a session needs nothing but `send` and `on`. `begin` is called for each target, while it waits; `hear` for each
 * event.
 */
export async function followTargets(
  session: CdpSession,
  begin: (target: WatchedTarget) => Promise<unknown>,
  hear: (target: WatchedTarget, method: string, event: object) => void,
): Promise<void> {
  const page: WatchedTarget = {
    id: '',
    type: '',
    send: (method, parameters) => session.send(method, parameters),
  };
  const children = new Map<string, Child>();
  const take = (target: WatchedTarget, method: string, event: object): void => {
    if (method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo } = event as {
        sessionId: string;
        targetInfo: { type: string };
      };
      const child = new Child(sessionId, targetInfo.type, target);
      children.set(sessionId, child);
      void attach(child);
    } else if (method === 'Target.receivedMessageFromTarget') {
      const { sessionId, message } = event as { sessionId: string; message: string };
      const child = children.get(sessionId);
      const { method: told, params } = child?.receive(message) ?? {};
      if (child && told !== undefined) take(child, told, params ?? {});
    } else if (method === 'Target.detachedFromTarget') {
      const { sessionId } = event as { sessionId: string };
      children.get(sessionId)?.end();
      children.delete(sessionId);
    } else hear(target, method, event);
  };
  // All commands are sent at once: a worker that waits for the debugger answers none before it is resumed. A target
  // that has closed meanwhile rejects them.
  const attach = (target: WatchedTarget) =>
    Promise.allSettled([
      begin(target),
      target.send('Target.setAutoAttach', attaching),
      target.send('Runtime.runIfWaitingForDebugger'),
    ]);
  for (const method of [...requestEvents, ...ofPage, ...ofTargets])
    session.on(method, (event: object) => take(page, method, event));
  await begin(page);
  await session.send('Target.setAutoAttach', attaching);
}

const ofTargets = ['attachedToTarget', 'detachedFromTarget', 'receivedMessageFromTarget'].map(
  (name) => `Target.${name}`,
);
/** Workers wait until their Network domain is on, so that their first request is not missed. */
const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false };

/** A target behind another one. */
class Child implements WatchedTarget {
  readonly id: string;
  readonly type: string;
  readonly #parent: WatchedTarget;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #commands = 0;

  constructor(id: string, type: string, parent: WatchedTarget) {
    this.id = id;
    this.type = type;
    this.#parent = parent;
  }

  send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#commands;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const message = JSON.stringify({ id, method, params });
    this.#parent
      .send('Target.sendMessageToTarget', { sessionId: this.id, message })
      .catch(answer.reject);
    return answer.promise;
  }

  /** Returns the event that a message is; nothing for an answer. */
  receive(text: string): Message {
    const message = JSON.parse(text) as Message;
    const answer = this.#waiting.get(message.id ?? -1);
    this.#waiting.delete(message.id ?? -1);
    if (message.error) answer?.reject(new Error(message.error.message));
    else answer?.resolve(undefined);
    return message.id === undefined ? message : {};
  }

  end(): void {
    for (const answer of this.#waiting.values()) answer.reject(new Error('the target is gone'));
    this.#waiting.clear();
  }
}
