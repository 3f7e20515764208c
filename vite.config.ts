import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

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

/**
 * Turns the bundled panel into report.html, one file that needs no other and reaches no network: script and style stand
 * in the page, and its policy admits these two by their hash and nothing else.
 */
function selfContained(): Plugin {
  return {
    name: 'cachescope:self-contained',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'report',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith('.html'));
      const script = files.find((file) => file.type === 'chunk');
      const style = files.find((file) => file.fileName.endsWith('.css'));
      if (page?.type !== 'asset' || script?.type !== 'chunk' || style?.type !== 'asset') {
        throw new Error('report: expected one page, one script and one style sheet');
      }
      // Inside a script element these two would be read as its end and as a comment.
      const code = script.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const css = String(style.source).replaceAll('</style', '<\\/style');
      const policy = `default-src 'none'; img-src data: blob:; script-src '${hash(code)}'; style-src '${hash(css)}'`;
      const source = String(page.source)
        .replaceAll(/<script type="module"[^>]*><\/script>|<link rel="stylesheet"[^>]*>/g, '')
        .replace(
          '<head>',
          () => `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
        )
        .replace('</head>', () => `<style>${css}</style></head>`)
        .replace('</body>', () => `<script type="module">${code}</script></body>`);
      for (const file of files) delete bundle[file.fileName];
      this.emitFile({ type: 'asset', fileName: 'report.html', source });
    },
  };
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const unit = {
  root: project,
  environment: 'node',
  // Simulations take seconds where other programs run beside them.
  testTimeout: 30_000,
} as const;

const nodeTests = ['{harness,origin,scripts}/**/*.test.ts'];

/** Tests that put something in a module's place: the others, which share a worker, must not meet it. */
const mocking = globSync(nodeTests, { cwd: project, exclude: ['**/node_modules/**'] }).filter(
  (path) => readFileSync(join(project, path), 'utf8').includes('vi.mock('),
);

const endToEnd = {
  root: project,
  globalSetup: 'test/global-setup.ts',
  environment: 'node',
  fileParallelism: false,
  // After the unit tests.
  sequence: { groupOrder: 1 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

// It keeps two processors busy, and is indifferent to what else the machine does.
const emulator = ['test/dm-delay.e2e.test.ts'];

// Where the browser must be quick: under much load it leaves early hints unheeded. npm test has it alone.
const quick = ['test/truth-table.e2e.test.ts'];

export default defineConfig({
  root: extension,
  base: './',
  plugins: [manifest(), selfContained()],
  build: { target: 'chrome130', modulePreload: false, assetsInlineLimit: 0 },
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
    report: {
      consumer: 'client',
      build: {
        outDir: 'dist',
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: { input: { report: join(extension, 'panel.html') } },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const environment of ['client', 'mainWorld', 'isolatedWorld', 'report']) {
        const target = builder.environments[environment];
        if (target) await builder.build(target);
      }
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
          include: ['extension/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...unit,
          name: 'unit',
          include: nodeTests,
          exclude: ['**/node_modules/**', ...mocking],
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-mocked', include: mocking } },
      {
        test: {
          ...endToEnd,
          name: 'e2e',
          include: ['test/**/*.e2e.test.ts'],
          exclude: [...emulator, ...quick],
          // Most of their time they wait: for a browser, for a slow disk.
          fileParallelism: true,
          maxWorkers: 2,
        },
      },
      {
        test: { ...endToEnd, name: 'emulator', include: emulator, sequence: { groupOrder: 2 } },
      },
      { test: { ...endToEnd, name: 'quick', include: quick, sequence: { groupOrder: 3 } } },
    ],
  },
});
