import { kolmogorovSmirnov } from '@cachescope/model/statistics/kolmogorov-smirnov.ts';
import { mannWhitney } from '@cachescope/model/statistics/mann-whitney.ts';
import { modesOf } from '@cachescope/model/statistics/modes.ts';
import { chanceOf, welch } from '@cachescope/model/statistics/welch.ts';
import { launchComparison, pairedComparison } from './statistics-launches.ts';
import {
  compareLaw,
  isDifferent,
  type Law,
  laws,
  normal,
  random,
  row,
  share,
  trials,
} from './statistics-simulation.ts';

export function measureFalsePositives(): void {
  const sizes = [10, 20, 50, 100];
  console.log(
    `\nTwo equal groups called different at 5 %, % of ${trials} trials (goal: 5 +- 1; tests that count ranks cannot reach 5 exactly), readings ${sizes.join(', ')}`,
  );
  const values = (size: number, law: Law): number[] => Array.from({ length: size }, law.draw);
  const rowOf = (
    name: string,
    law: Law,
    p: (a: number[], b: number[]) => number | undefined,
  ): void =>
    row(
      name,
      sizes.map((size) => share(() => (p(values(size, law), values(size, law)) ?? 1) <= 0.05)),
    );
  rowOf('Mann-Whitney; normal', laws.normal, (a, b) => mannWhitney(a, b)?.p);
  rowOf('Mann-Whitney; timer of 0.1 sd', laws['timer of 0.1 sd'], (a, b) => mannWhitney(a, b)?.p);
  const welchP = (a: number[], b: number[]): number | undefined => {
    const estimate = welch(a, b);
    return estimate ? chanceOf(estimate) : undefined;
  };
  rowOf('Welch; normal', laws.normal, welchP);
  rowOf('Welch; waiting', laws['waiting (exponential)'], welchP);
  rowOf('Kolmogorov-Smirnov; normal', laws.normal, (a, b) => kolmogorovSmirnov(a, b)?.p);
  for (const [name, law] of Object.entries(laws)) {
    row(
      `verdict DIFFERENT; ${name}`,
      sizes.map((size) => share(() => isDifferent(compareLaw(size, law)))),
    );
  }
  const counts = [2, 3, 5, 10];
  console.log(`  the same where ten readings share a launch, launches ${counts.join(', ')}`);
  const some = trials / 5;
  row(
    'verdict DIFFERENT; launches 1 sd apart',
    counts.map((launches) => share(() => isDifferent(launchComparison(launches, 1)), some)),
  );
  row(
    'verdict DIFFERENT; paired',
    counts.map((launches) => share(() => isDifferent(pairedComparison(launches, 1)), some)),
  );
}

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
