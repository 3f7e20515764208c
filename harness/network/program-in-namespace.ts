import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandText } from '../privilege.ts';

/**
 * Writes a script that starts a browser in a network namespace with the pipe of Puppeteer, descriptors 3 and 4, and returns its
 * path. sudo(8) closes these and empties the environment: the script carries both across. It ends with the browser.
 *
 * @param enter the prefix of a command in the namespace.
 */
export function programInNamespace(
  program: string,
  enter: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const path = join(directory, 'browser-in-namespace.sh');
  const text =
    enter[0] === 'sudo' ? acrossSudo(program, enter, environment) : direct(program, enter);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return path;
}

function direct(program: string, enter: readonly string[]): string {
  return `exec ${commandText([...enter, program])} "$@"`;
}

function acrossSudo(
  program: string,
  enter: readonly string[],
  environment: NodeJS.ProcessEnv,
): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const inner = 'exec "$@" 3<&0 4>&1 0</dev/null 1>&2';
  const command = [...enter, 'env', '-i', ...variables, '/bin/sh', '-c', inner, 'sh', program];
  // Not by exec: sudo belongs to root, and this script can be killed by the user.
  return `${commandText(command)} "$@" <&3 >&4 3<&- 4>&-\nexit $?`;
}
