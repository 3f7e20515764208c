/** How one launch of Chromium is to be, beyond what every launch of this project has in common. */
export interface LaunchChoice {
  /** `--disk-cache-dir`: holds the HTTP cache and V8's code cache, not the dictionaries. */
  cacheDirectory: string;
  /** Flags of the user's or of an arm, last, so that they win. */
  extra?: readonly string[] | undefined;
}

/**
 * Chromium's command line for a measurement. `asRoot` turns the sandbox off, which Chromium refuses to start with as root.
 * Nothing outside the machine is looked up or reached: at start-up Chromium asks for its maker's hosts otherwise.
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
