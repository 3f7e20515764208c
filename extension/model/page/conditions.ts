import { byteSize, digits, percent, seconds } from '../quantity.ts';
import type { RunBase } from '../run/base.ts';
import type { Term } from './page.ts';

/** The conditions that every run records: storage, machine, browser, command, time. */
export function conditionsOf({
  environment,
  commandLine,
  tool,
  timeSpent,
  merged,
}: RunBase): Term[] {
  const { chromium, timerStepMs, cpu, cores, memoryBytes, os, kernel, node } = environment;
  const step =
    timerStepMs === null ? 'step not measured' : `steps of ${digits(timerStepMs * 1000)} µs`;
  return [
    ['Storage', environment.storage],
    ...(environment.link === undefined ? [] : [['Link', environment.link] as const]),
    ['Page clock', step],
    ['Machine', `${cpu}, ${cores} cores, ${byteSize(memoryBytes)}`],
    ['System', `${os}, kernel ${kernel}, Node ${node}`],
    ['Chromium', [chromium.version, chromium.path].join(', ')],
    ['Flags', chromium.flags.join(' ') || 'none'],
    ['Command', `cachescope ${commandLine.join(' ')}`],
    ['Written by', `${tool.name} ${tool.version}`],
    ...(timeSpent && timeSpent.totalMs > 0
      ? [[merged ? 'Machine time' : 'Time', timeText(timeSpent)] as const]
      : []),
  ];
}

function timeText({ measuringMs, totalMs }: NonNullable<RunBase['timeSpent']>): string {
  return `${seconds(totalMs)}, ${percent(measuringMs / totalMs)} of it inside timed measurements`;
}
