import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { madeUpFillRun, madeUpTrial } from '@cachescope/model/fixtures/fill.ts';
import { madeUpExplore } from '@cachescope/model/fixtures/made-up-explore.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { madeUpSlice } from '@cachescope/model/fixtures/micro.ts';
import {
  emptyCell,
  madeUpLoad as madeUpPageLoad,
  madeUpPage,
} from '@cachescope/model/fixtures/pageload.ts';
import {
  madeUpPass,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

const { experiment: _, plan: __, stored: ___, ...base } = madeUpRun(1).run;
/** The fields common to all runs, of a made-up run. */
export const runBase = base;

const cells = [0, 1, 2, 3, 4, 5].map((sequence) => ({ sequence, launch: sequence }));

/** A small complete run of every experiment. */
export function madeUpRuns(): RunDocument[] {
  const sweep = madeUpRun(3);
  const micro = {
    parts: ['table'],
    caches: ['disk', 'memory'],
    sizesBytes: [50],
    timeMs: 100,
    launches: 3,
    listLength: 1,
    entries: [],
    backEnds: [],
    storage: 'none',
    delaysMs: [],
    seed: 1,
    crossoverMargin: 0.1,
  };
  const transfer = {
    clients: ['chromium'],
    protocols: ['h1', 'h2'],
    connections: ['warm'],
    seed: 1,
    sizesBytes: [1000],
    requestBytes: 800,
    requestsPerCell: 3,
    launches: 3,
    serverDelayMs: 0,
    margin: 0.02,
  };
  const pageload = {
    states: ['empty', 'warm'],
    arms: ['plain'],
    storage: 'none',
    delaysMs: [],
    passes: 3,
    serverDelayMs: 0,
    seed: 1,
    margin: 0.02,
  };
  const storing = {
    variants: [{ name: 'stock' }, { name: 'fix' }],
    codings: ['dcb'],
    sizesBytes: [1000],
    bodies: ['text'],
    tenBytes: 1000,
    limitBytes: 10_000,
    launches: 3,
    seed: 1,
  };
  const compared = compareSides(
    side(sweep, 'br'),
    side(sweep, 'dcb'),
    { margin: 0.02, across: [], isOneRun: true, names: undefined },
    runBase,
  );
  const made = [
    {
      run: { ...sweep.run, plan: { ...sweep.run.plan, traces: { syscalls: true } } },
      samples: sweep.samples,
      traced: [madeUpTraced('br', 5, 3), madeUpTraced('dcb', 5, 9)],
    },
    explainedSweep({ samplesPerCell: 2 }),
    madeUpExplore(),
    {
      run: { ...runBase, experiment: 'micro', plan: micro, fills: [], quiets: [] },
      slices: cells.map((cell) =>
        madeUpSlice({ cache: cell.sequence % 2 ? 'disk' : 'memory' }, cell),
      ),
    },
    {
      run: {
        ...runBase,
        experiment: 'pageload',
        plan: pageload,
        page: madeUpPage,
        stored: [],
        notes: [],
      },
      pageloads: cells.map((cell) =>
        madeUpPageLoad({ ...emptyCell, state: cell.sequence % 2 ? 'warm' : 'empty' }, cell),
      ),
    },
    {
      run: madeUpFillRun(['nginx-lock', 'origin']),
      lines: (['nginx-lock', 'origin'] as const).map((system, sequence) =>
        madeUpTrial(system, { sequence }),
      ),
    },
    {
      run: {
        ...runBase,
        experiment: 'transfer',
        plan: transfer,
        link: { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null },
        roundTrips: [{ takenAt: '', tcpConnectMs: [5, 5, 5], emptyRequestMs: [10, 10, 10] }],
      },
      samples: cells.map(({ sequence, launch }) => ({
        sequence,
        launch,
        takenAt: '',
        totalMs: 10 + sequence,
        connectMs: 0,
        waitMs: null,
        downloadMs: null,
        protocolName: null,
        bodyBytes: 1000,
        originConnection: 1,
        originRequest: 2,
        originMs: null,
        flags: [],
        cell: {
          client: 'chromium',
          connection: 'warm',
          responseBytes: 1000,
          protocol: sequence % 2 ? 'h1' : 'h2',
        },
      })),
    },
    {
      run: madeUpReclaimRun(),
      lines: [
        ...[0, 1, 2, 3].map((second) => ({ ...madeUpReclaimWindow(second), sequence: second })),
        { ...madeUpPass(1500), sequence: 4 },
      ],
    },
    {
      run: { ...runBase, experiment: 'storing', plan: storing },
      readings: cells.map(({ sequence }) => ({
        sequence,
        pass: Math.floor(sequence / 2),
        variant: sequence % 2 ? 'stock' : 'fix',
        measure: 'load-time',
        body: 'text',
        bytes: 1000,
        coding: 'dcb',
        values: [10 + sequence, 12],
        takenAt: '',
        flags: [],
      })),
    },
    ...('value' in compared ? [compared.value] : []),
  ];
  return made as unknown as RunDocument[];
}

function side(run: ReturnType<typeof madeUpRun>, arm: string) {
  const read = sideOf('made up', { run }, { arm }, undefined);
  if ('problems' in read) throw new Error(read.problems.join());
  return read.value;
}
