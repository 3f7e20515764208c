import { expect, test } from 'vitest';
import { compiled } from './compiled.ts';

const commands = ['sweep', 'report', 'build'];

test('types are stripped, and paths name the compiled files', () => {
  const source = [
    "import { type Run, read } from '@cachescope/model/run/run.ts';",
    "import '../error.ts';",
    "new Worker(new URL('./thread.ts', import.meta.url));",
    'import(`./${name}/experiment.ts`);',
    "const text: string = 'see ./x.tsx and y.ts';",
  ].join('\n');
  expect(compiled('harness/lab/lab.ts', source, commands).split('\n')).toEqual([
    expect.stringMatching(
      /^import \{\s+read \} from '\.\.\/\.\.\/extension\/model\/run\/run\.js';$/,
    ),
    "import '../error.js';",
    "new Worker(new URL('./thread.js', import.meta.url));",
    'import(`./${name}/experiment.js`);',
    expect.stringMatching(/^const text\s+= 'see \.\/x\.tsx and y\.ts';$/),
  ]);
});

test('instructions name the installed command, and the columns after it stay aligned', () => {
  const help = [
    '`  npm run sweep                 control',
    '  npm run sweep -- 0 10 1       0 to 10 ms',
    '  npm run --silent report -- DIR; npm run test:deep; npm run sweep.`',
  ].join('\n');
  expect(compiled('harness/x.ts', help, commands)).toBe(
    [
      '`  cachescope sweep              control',
      '  cachescope sweep 0 10 1       0 to 10 ms',
      '  cachescope report DIR; npm run test:deep; cachescope sweep.`',
    ].join('\n'),
  );
});

test('a command that is inserted into an instruction is installed too', () => {
  expect(compiled('harness/x.ts', 'say(`npm run ${run.command} -- --resume ${from}`)', [])).toBe(
    'say(`cachescope ${run.command} --resume ${from}`)',
  );
});

test('a part of the project that is not packed cannot be imported', () => {
  expect(() => compiled('harness/x.ts', "import '@cachescope/extension/x.ts';", [])).toThrow(
    'harness/x.ts imports @cachescope/extension/x.ts, which is not packed',
  );
});
