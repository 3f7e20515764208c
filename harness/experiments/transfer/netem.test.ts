import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createPrivilege } from '../../privilege.ts';
import { emulateNetwork, netemCommands, netemLack } from './netem.ts';

test('each direction is delayed by half the round trip', () => {
  const netem = netemCommands('cachescope-4711', 25).filter((words) => words.includes('netem'));
  expect(netem).toHaveLength(2);
  for (const words of netem) expect(words.slice(-2)).toEqual(['delay', '12.5ms']);
  expect(netem.filter((words) => words.includes('cachescope-4711'))).toHaveLength(1);
});

test('the names of network interfaces fit into the 15 characters that Linux allows', () => {
  for (const name of ['cachescope-1', 'cachescope-4194304']) {
    const cards = netemCommands(name, 10)
      .flat()
      .filter((word) => word.startsWith('cs'));
    expect(new Set(cards).size).toBe(2);
    for (const card of cards) expect(card).toMatch(/^[\w-]{1,15}$/);
  }
});

test('a dry run prints every command and runs none; the namespace is removed at the end', async () => {
  const said: string[] = [];
  const privilege = createPrivilege({ dryRun: true, say: (line) => said.push(line) });
  const resources = new AsyncDisposableStack();
  const network = await emulateNetwork(20, privilege, resources);
  const name = network.enter.at(-1) ?? '';
  expect(said.filter((line) => line.includes('netns add'))).toHaveLength(1);
  expect(said.filter((line) => line.includes('netem'))).toHaveLength(2);
  await resources.disposeAsync();
  expect(said.at(-1)).toContain(`ip netns delete ${name}`);
});

/** What a machine with these files lacks. */
function lackOf(files: Record<string, string | Uint8Array>): string | null {
  const root = mkdtempSync(join(tmpdir(), 'cachescope-kernel-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return netemLack('6.1.0', root);
}

const config = (line: string) => ({ 'proc/config.gz': gzipSync(`CONFIG_NET=y\n${line}\n`) });
const module = {
  'lib/modules/6.1.0/modules.dep': 'kernel/net/sched/sch_netem.ko.xz:\nkernel/net/x.ko:\n',
};

test('a kernel with netem lacks nothing, whether loaded, built in, or a module', () => {
  expect(lackOf({ 'sys/module/sch_netem/refcnt': '0' })).toBeNull();
  expect(lackOf(config('CONFIG_NET_SCH_NETEM=y'))).toBeNull();
  expect(lackOf({ ...config('CONFIG_NET_SCH_NETEM=m'), ...module })).toBeNull();
  expect(lackOf(module)).toBeNull();
});

test('a kernel without netem is reported with the reason', () => {
  expect(lackOf({})).toBe('kernel 6.1.0 has no module sch_netem');
  expect(lackOf(config('CONFIG_NET_SCH_NETEM=m'))).toBe('kernel 6.1.0 has no module sch_netem');
  expect(lackOf(config('# CONFIG_NET_SCH_NETEM is not set'))).toBe(
    'kernel 6.1.0 is built without CONFIG_NET_SCH_NETEM',
  );
});
