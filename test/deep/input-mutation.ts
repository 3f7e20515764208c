import { createRandom } from '@cachescope/model/statistics/random.ts';

/** Mutations that break inputs as attackers and accidents do. Deterministic: the same seed makes the same inputs. */
export interface Mutation {
  /** A text with bytes, spans or lines changed. */
  text(seed: string): string;
  /** A JSON text with values changed; sometimes a text that is no longer valid JSON. */
  json(seed: string): string;
  /** Lines of JSON, some of them changed. */
  lines(seed: string): string;
}

/** Returns every seed input unchanged. */
export const unchanged: Mutation = {
  text: (seed) => seed,
  json: (seed) => seed,
  lines: (seed) => seed,
};

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  1,
  -1,
  -50,
  0.5,
  3e8,
  1e15,
  2 ** 53,
  -(2 ** 53),
  1e308,
  -1e308,
  5e-324,
  '',
  'x',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '=HYPERLINK("http://example.org")',
  '\u001B[2J\u009B31m\u202E',
  '</script><script>alert(1)</script>',
  'x'.repeat(5000),
  '2026-11-20T23:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  'dcb',
  'none',
  [],
  {},
  [[]],
  [1, 2],
  Array.from({ length: 2000 }, (_, index) => index),
];

/** Too deep for any recursive reader's stack. */
const deep = JSON.parse(`${'{"parent":'.repeat(4000)}null${'}'.repeat(4000)}`) as unknown;

export function mutations(seed: number): Mutation {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const value = () => (below(200) === 0 ? deep : pick(hostile));

  /** Changes one value, chosen by a random walk from the root: values near the root are as likely as deep ones. */
  function changeOne(json: unknown): unknown {
    if (typeof json !== 'object' || json === null || below(8) === 0) return value();
    const keys = Object.keys(json);
    if (keys.length === 0) return value();
    const key = pick(keys);
    const copy: Record<string, unknown> | unknown[] = Array.isArray(json) ? [...json] : { ...json };
    const at = copy as Record<string, unknown>;
    const inside = at[key];
    const deed = below(10);
    if (deed === 0 && !Array.isArray(copy)) delete at[key];
    else if (deed === 0 && Array.isArray(copy)) copy.splice(Number(key), 1);
    else if (deed === 1 && Array.isArray(copy)) copy.push(...Array(below(50)).fill(inside));
    else if (deed === 1) at[pick(keys)] = inside;
    else if (deed === 2 && typeof inside === 'number')
      at[key] = pick([-inside, inside * 1e6, inside / 3, inside + 1, 1 / (inside || 1)]);
    else at[key] = changeOne(inside);
    return copy;
  }

  function text(seedText: string): string {
    let changed = seedText;
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(changed.length + 1);
      const end = Math.min(changed.length, at + 1 + below(40));
      const [before, span, after] = [
        changed.slice(0, at),
        changed.slice(at, end),
        changed.slice(end),
      ];
      const token = String(pick(hostile)).slice(0, 100);
      changed = pick([
        before + after,
        before + span + span + after,
        before + token + span + after,
        before + token + after,
        before,
        before + String.fromCharCode(below(256)) + after,
        changed.replaceAll(/\d+/g, (digits) => (below(6) === 0 ? token : digits)),
      ]);
    }
    return changed;
  }

  function json(seedText: string): string {
    if (below(12) === 0) return text(seedText);
    let changed: unknown = JSON.parse(seedText);
    for (let changes = 1 + below(3); changes > 0; changes--) changed = changeOne(changed);
    return JSON.stringify(changed) ?? '';
  }

  function lines(seedText: string): string {
    const all = seedText.split('\n').filter((line) => line !== '');
    for (let changes = 1 + below(6); changes > 0; changes--) {
      const at = below(all.length);
      const line = all[at] ?? '{}';
      all[at] = below(8) === 0 ? text(line) : /^[[{]/.test(line) ? safely(line) : text(line);
      if (below(10) === 0) all.push(line);
    }
    return `${all.join('\n')}${below(4) === 0 ? '' : '\n'}`;
  }

  function safely(line: string): string {
    try {
      return json(line);
    } catch {
      return text(line);
    }
  }

  return { text, json, lines };
}
