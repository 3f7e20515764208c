import { modesOf } from '@cachescope/model/statistics/modes.ts';
import { laws, normal, random, row, share } from './statistics-simulation.ts';

/** How often the counting of modes reports several: for one mode falsely, for two rightly. */
export function measureModes(): void {
  const sizes = [20, 50, 100, 300];
  console.log(`\nCalled multimodal, % of 1000 trials, readings ${sizes.join(', ')}`);
  const heaps = (apart: number, part: number) => (): number =>
    20 + normal() + (random() < part ? apart : 0);
  const shapes = {
    ...Object.fromEntries(
      Object.entries(laws).map(([name, { draw }]) => [`one mode: ${name}`, draw]),
    ),
    'two: 30 % lie 4 sd further': heaps(4, 0.3),
    'two: 50 % lie 5 sd further': heaps(5, 0.5),
    'two: 20 % lie 6 sd further': heaps(6, 0.2),
    'two: 20 % of hits at 2 are misses at 20': () =>
      random() < 0.2 ? 20 + normal() : 2 + normal() / 10,
  };
  for (const [name, draw] of Object.entries(shapes)) {
    const called = (size: number): boolean =>
      modesOf(Array.from({ length: size }, draw))?.multimodal ?? false;
    row(
      name,
      sizes.map((size) => share(() => called(size), 1000)),
    );
  }
}
