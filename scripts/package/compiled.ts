import { posix } from 'node:path';
import { stripTypeScriptTypes } from 'node:module';

/** Folders of the workspace's packages in the project. */
const packageFolders: Readonly<Record<string, string>> = {
  '@cachescope/harness': 'harness',
  '@cachescope/model': 'extension/model',
  '@cachescope/origin': 'origin',
};

/** A path to another file of the project, in an import, `new URL()` or `import.meta.resolve()`. */
const filePath = /(?<quote>['"`])(?<path>(?:\.{1,2}|@cachescope\/[a-z]+)\/[^'"`\n]*)\.ts\k<quote>/g;

/**
 * Compiles a TypeScript file of the project to JavaScript that runs from `node_modules`, where Node strips no types:
 * types are removed, paths name `.js` files and need no workspace, and instructions name the installed command.
 *
 * @param path From the root of the project, with slashes.
 * @param commands Names of commands, such as `sweep`.
 */
export function compiled(path: string, source: string, commands: readonly string[]): string {
  const script = stripTypeScriptTypes(source).replaceAll(/[ \t]+$/gm, '');
  return withPackedPaths(path, withInstalledCommand(script, commands));
}

/** Paths of a file to other files of the project, as they are in the package: `.js`, without a workspace. */
export function withPackedPaths(path: string, text: string): string {
  return text.replaceAll(
    filePath,
    (_all, quote: string, to: string) => `${quote}${relativePath(path, to)}.js${quote}`,
  );
}

function relativePath(from: string, to: string): string {
  const [, name = '', inside = ''] = /^(@cachescope\/[a-z]+)\/(.*)$/.exec(to) ?? [];
  if (name === '') return to;
  const folder = packageFolders[name];
  if (folder === undefined) throw new Error(`${from} imports ${to}.ts, which is not packed`);
  const found = posix.relative(posix.dirname(from), posix.join(folder, inside));
  return found.startsWith('.') ? found : `./${found}`;
}

/**
 * `npm run sweep -- 0 10 1` becomes `cachescope sweep 0 10 1`; a column after it stays aligned. A command that a
 * template literal inserts is replaced too.
 */
function withInstalledCommand(text: string, commands: readonly string[]): string {
  const typed = new RegExp(
    `\\bnpm run (?:--silent )?((?:${commands.join('|')})\\b|\\$\\{[^{}]+\\})(?: --(?= |$)|(?<gap> {5,})|)`,
    'gm',
  );
  return text.replaceAll(
    typed,
    (_all, command: string, gap = '') => `cachescope ${command}${String(gap).slice(3)}`,
  );
}
