const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether the host of a URL is this machine by its own name: by default Chromium resolves no other. */
export function isThisMachine({ hostname }: URL): boolean {
  return loopback.test(hostname);
}
