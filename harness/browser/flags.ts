/** Options of one launch of Chromium, in addition to those that all launches of this project share. */
export interface LaunchChoice {
  /** `--disk-cache-dir`: holds the HTTP cache and V8's code cache, not the dictionaries. */
  cacheDirectory: string;
  /** Flags of the user or of an arm; they come last, so that they take precedence. */
  extra?: readonly string[] | undefined;
}

/**
 * Chromium's command line for a measurement. `asRoot` turns the sandbox off; as root Chromium refuses to start with it.
 * Nothing outside the machine is resolved or contacted: by default Chromium contacts its vendor's hosts at start-up.
 */
export function chromiumFlags(choice: LaunchChoice, asRoot: boolean): string[] {
  return [
    `--disk-cache-dir=${choice.cacheDirectory}`,
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
    '--no-default-browser-check',
    '--disable-quic',
    '--disable-gpu',
    ...(asRoot ? ['--no-sandbox'] : []),
    ...(choice.extra ?? []),
  ];
}
