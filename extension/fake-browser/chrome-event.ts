type Listener = (...told: never[]) => unknown;

/** An event of the chrome APIs. As in Chromium, adding the same listener twice adds it once. */
export class FakeEvent {
  protected listeners: Listener[] = [];

  addListener(listener: Listener): void {
    if (!this.hasListener(listener)) this.listeners.push(listener);
  }

  removeListener(listener: Listener): void {
    this.listeners = this.listeners.filter((each) => each !== listener);
  }

  hasListener(listener: Listener): boolean {
    return this.listeners.includes(listener);
  }

  get listenerCount(): number {
    return this.listeners.length;
  }

  /** Returns the return values of the listeners. */
  emit(...told: unknown[]): unknown[] {
    return this.listeners.map((listener) => listener(...(told as never[])));
  }
}

/** An event of chrome.webRequest. As in Chromium 156, a listener that is added twice is called twice. */
export class FakeRequestEvent extends FakeEvent {
  override addListener(listener: Listener): void {
    this.listeners.push(listener);
  }
}
