// npm run check: all checks that do not run the product. All steps run, then the failed ones are listed.
import { spawnSync } from 'node:child_process';

if (process.argv.length > 2) {
  console.error(
    'npm run check takes no options. It checks the format, the lint rules, the house rules, the docs made from code, and the types.',
  );
  process.exit(2);
}

const steps = [
  { name: 'format', command: ['oxfmt', '--check'] },
  // The linter also enforces the import-direction rule and the circular-import rule (.oxlintrc.json).
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'house rules', command: ['node', 'scripts/house-rules.ts'] },
  { name: 'docs made from code', command: ['node', 'scripts/docs/docs.ts', '--check'] },
  { name: 'sizes of the library', command: ['node', 'scripts/package/library.ts'] },
  { name: 'types: harness, origin, scripts, test', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types: extension', command: ['tsc', '-p', 'extension/tsconfig.json'] },
  { name: 'types: extension tests', command: ['tsc', '-p', 'extension/tsconfig.test.json'] },
  { name: 'types: model', command: ['tsc', '-p', 'extension/model/tsconfig.json'] },
];

const failed: string[] = [];
for (const { name, command } of steps) {
  const [program = '', ...args] = command;
  console.log(`> ${name}: ${command.join(' ')}`);
  if (spawnSync(program, args, { stdio: 'inherit' }).status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? 'Check: all passed' : `Check: failed: ${failed.join('; ')}`);
process.exit(failed.length === 0 ? 0 : 1);
