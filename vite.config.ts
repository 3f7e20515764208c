import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { iconNames } from './extension/panel/icon-names.ts';
import { withUsedTokens } from './scripts/build/used-tokens.ts';
import { hangLimitMs } from './test/hang-limit.ts';

const project = import.meta.dirname;
const extension = join(project, 'extension');

/** A content script: one file, because Chromium loads content scripts as classic scripts, without imports. */
function contentScript(world: 'main-world' | 'isolated-world'): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: { [world]: join(extension, `page/${world}.ts`) },
        output: { format: 'iife', entryFileNames: '[name].js' },
      },
    },
  };
}

/** Writes the manifest with the version of package.json. */
function manifest(): Plugin {
  return {
    name: 'cachescope:manifest',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const source = await readFile(join(extension, 'manifest.json'), 'utf8');
      const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
      const { manifest_version, name, ...rest } = JSON.parse(source);
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: JSON.stringify({ manifest_version, name, version, ...rest }, null, 2),
      });
    },
  };
}

/** Adds a rule for each icon to the style sheet of icons, which shows the image in `--icon`. */
function iconRules(): Plugin {
  return {
    name: 'cachescope:icon-rules',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/panel/icons.css')) return null;
      const rules = iconNames.map(
        (name) =>
          `.icon-${name} { --icon: url('chrome-devtools-frontend/front_end/Images/src/${name}.svg?inline'); }`,
      );
      return [code, ...rules].join('\n');
    },
  };
}

/** Experiments whose report is a file, and declared ones, whose report is made (below). */
const withReport = globSync('*/report.ts', { cwd: join(extension, 'panel/experiments') }).map(
  dirname,
);
const declared = globSync('*/declaration.ts', { cwd: join(extension, 'model') })
  .map(dirname)
  .filter((name) => !withReport.includes(name));

/** Experiments whose report is built: each by itself, so that it holds no view but its own. */
const reports = [...withReport, ...declared];
const isReport = (environment: string): boolean => environment.startsWith('report_');

/** A report without a run holds what shows its experiment, and no part of the panel that it does not need. */
const largestReportBytes = 462_000;

function report(experiment: string): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: {
          [experiment]: declared.includes(experiment)
            ? `${declaredPrefix}${experiment}`
            : join(extension, `panel/experiments/${experiment}/report.ts`),
        },
        // Chart.js reads properties where it declares its scales: without this, a report holds scales that it never draws.
        treeshake: { propertyReadSideEffects: false },
      },
    },
  };
}

const declaredPrefix = 'declared-report:';

/** The program of a declared experiment's report, with the view of its own where it has one. */
function declaredReports(): Plugin {
  return {
    name: 'cachescope:declared-reports',
    resolveId: (id) => (id.startsWith(declaredPrefix) ? `\0${id}` : null),
    load(id) {
      const name = id.split(declaredPrefix)[1];
      if (!id.startsWith('\0') || name === undefined) return null;
      const own = join(extension, `panel/experiments/${name}/view.ts`);
      const view = existsSync(own)
        ? `import { view } from '${own}';`
        : `import { viewOf } from '${join(extension, 'panel/page/view.ts')}';
const view = viewOf(${name});`;
      return `import { ${name} } from '${join(extension, `model/${name}/declaration.ts`)}';
import { showReport } from '${join(extension, 'panel/run/report-page.ts')}';
${view}
showReport(${name}, view);`;
    },
  };
}

/**
 * Turns a bundled report into one file that needs no other and reaches no network: script and style stand in the page,
 * and its policy admits these two by their hash and nothing else.
 */
function selfContained(): Plugin {
  return {
    name: 'cachescope:self-contained',
    enforce: 'post',
    applyToEnvironment: (environment) => isReport(environment.name),
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const [script, style] = files.toSorted((one) => (one.type === 'chunk' ? -1 : 1));
      if (script?.type !== 'chunk' || style?.type !== 'asset' || files.length !== 2) {
        throw new Error('report: expected one script and one style sheet');
      }
      // Inside a script element these two would be read as its end and as a comment.
      const code = script.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const css = withUsedTokens(plainIcons(String(style.source)), code).replaceAll(
        '</style',
        '<\\/style',
      );
      const policy = `default-src 'none'; img-src data: blob:; script-src '${hash(code)}'; style-src '${hash(css)}'`;
      const source = (await readFile(join(extension, 'report.html'), 'utf8'))
        .replace(
          '<head>',
          () => `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
        )
        .replace('</head>', () => `<style>${css}</style></head>`)
        .replace('</body>', () => `<script type="module">${code}</script></body>`);
      if (Buffer.byteLength(source) > largestReportBytes) {
        throw new Error(`${script.name}: a report without a run is at most 462 kB`);
      }
      for (const file of files) delete bundle[file.fileName];
      this.emitFile({ type: 'asset', fileName: `reports/${script.name}.html`, source });
    },
  };
}

/** Icons without the percent-encoding that a quoted data: URL does not need, a tenth of their size. */
function plainIcons(css: string): string {
  return css.replaceAll(/(?<=url\("data:image\/svg\+xml,)[^"]*/g, (icon) =>
    icon.replaceAll('%20', ' ').replaceAll('%3c', '<').replaceAll('%3e', '>'),
  );
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const unit = {
  root: project,
  environment: 'node',
  testTimeout: hangLimitMs,
  hookTimeout: hangLimitMs,
  expect: { poll: { timeout: hangLimitMs } },
} as const;

const extensionTests = 'extension/**/*.test.ts';
const nodeTests = '{harness,origin,scripts,test/golden}/**/*.test.ts';

function testsWith(text: string, ...globs: string[]): string[] {
  const paths = globSync(globs, { cwd: project, exclude: ['**/node_modules/**'] });
  return paths.filter((path) => readFileSync(join(project, path), 'utf8').includes(text));
}

/** Tests that replace a module: the others, which share a worker, must not get the replacement. */
const mocking = testsWith('vi.mock(', nodeTests);
const properties = testsWith("from 'fast-check'", extensionTests, nodeTests);

const endToEnd = {
  root: project,
  globalSetup: 'test/global-setup.ts',
  environment: 'node',
  // Most of their time they wait: for a browser, for a slow disk.
  fileParallelism: true,
  maxWorkers: 2,
  testTimeout: hangLimitMs,
  hookTimeout: hangLimitMs,
  expect: { poll: { timeout: hangLimitMs } },
} as const;

export default defineConfig({
  root: extension,
  base: './',
  plugins: [manifest(), iconRules(), selfContained(), declaredReports()],
  // The panel is read from the disk: a chunk's size costs no transfer.
  build: {
    target: 'chrome130',
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
  environments: {
    client: {
      build: {
        outDir: 'dist',
        emptyOutDir: true,
        rolldownOptions: {
          input: {
            panel: join(extension, 'panel.html'),
            devtools: join(extension, 'devtools.html'),
            'service-worker': join(extension, 'background/service-worker.ts'),
          },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    mainWorld: contentScript('main-world'),
    isolatedWorld: contentScript('isolated-world'),
    ...Object.fromEntries(reports.map((name) => [`report_${name}`, report(name)])),
  },
  builder: {
    async buildApp(builder) {
      const { client, ...others } = builder.environments;
      // First, because it empties the folder.
      if (client) await builder.build(client);
      for (const environment of Object.values(others)) await builder.build(environment);
    },
  },
  test: {
    root: project,
    // Every core: nobody waits at the keyboard for the tests' machine.
    maxWorkers: '100%',
    projects: [
      // Nothing is mocked in the extension's tests, so they can share a worker: a new one for each costs more than they do.
      {
        test: {
          ...unit,
          name: 'unit-extension',
          include: [extensionTests],
          isolate: false,
        },
      },
      {
        test: {
          ...unit,
          name: 'unit',
          include: [nodeTests],
          exclude: ['**/node_modules/**', ...mocking],
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-mocked', include: mocking } },
      {
        // Property tests with more cases than the unit tests take (extension/model/fixtures/property-runs.ts).
        test: {
          ...unit,
          name: 'properties',
          include: properties,
          env: { CACHESCOPE_PROPERTY_FACTOR: '20' },
          setupFiles: ['test/property-runs.ts'],
        },
      },
      { test: { ...endToEnd, name: 'flow', include: ['test/flow/*.e2e.test.ts'] } },
      { test: { ...endToEnd, name: 'deep', include: ['test/deep/*.e2e.test.ts'] } },
    ],
  },
});
