/** Why a browser did not start on this machine, from what it wrote to stderr. A new attempt would fail in the same way. */
interface StartFailure {
  what: string;
  todo: string;
}

/** What Chromium and the loader write when a start cannot succeed. The first that matches is the cause. */
const failures: readonly (StartFailure & { said: RegExp })[] = [
  {
    said: /No usable sandbox|SUID sandbox helper|Failed to move to new namespace/,
    what: 'it finds no usable sandbox: the kernel denies user namespaces to it, as in most containers, and its setuid helper is missing',
    todo: "On Debian: sudo apt-get install chromium-sandbox. Elsewhere allow user namespaces (sysctl kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), or install the vendor's own package, which brings a helper.",
  },
  {
    said: /[Ss]ocket (path|name) (is )?too long/,
    what: 'the path of TMPDIR is too long for its socket (unix(7): 107 bytes)',
    todo: 'Set TMPDIR to a directory with a path of at most 62 bytes.',
  },
  {
    said: /error while loading shared libraries: \S+/,
    what: 'a library that it needs is not installed',
    todo: "Install the library that it names, or the distribution's Chromium, which brings all.",
  },
  {
    said: /Missing X server or \$DISPLAY|cannot open display/i,
    what: 'there is no display for its window',
    todo: 'Use --headless, or start it in a desktop session.',
  },
  {
    said: /shared memory in \/dev\/shm|This is frequently caused by incorrect permissions on \/dev\/shm/,
    what: '/dev/shm cannot be used or is full',
    todo: 'In a container give it more: --shm-size=1g.',
  },
];

/** The cause that a browser named itself; null when it named none that is known. */
export function startFailure(output: string): StartFailure | null {
  const found = failures.find(({ said }) => said.test(output));
  if (found === undefined) return null;
  const { said, what, todo } = found;
  const line = output.split('\n').find((text) => said.test(text)) ?? '';
  const [sentence] = /^.*?[.!](?=\s|$)/.exec(withoutPrefix(line)) ?? [withoutPrefix(line)];
  return { what: `${what} (${sentence})`, todo };
}

/** Without Chromium's prefix of process, time and source line. */
function withoutPrefix(line: string): string {
  return line
    .replace(/^\[[^\]]*\]\s*/, '')
    .trim()
    .slice(0, 160);
}

/** The last lines of what a browser wrote, for a failure that is not known; empty when it wrote nothing. */
export function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-3).map(withoutPrefix).join('; ');
}
