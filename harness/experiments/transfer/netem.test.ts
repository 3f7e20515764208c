import { expect, test } from 'vitest';
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

test('a kernel without netem is reported with the reason', () => {
  expect(netemLack('0.0-none') ?? 'present').toMatch(/netem|NETEM|present/);
});
