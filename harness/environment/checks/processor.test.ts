import { expect, test } from 'vitest';
import { cpu, findOn, testFindings } from '../made-up-machine.ts';
import { governor, load, power, processor, throttling, turbo } from './processor.ts';

testFindings([
  [processor, { '/proc/cpuinfo': 'model name\t: Xeon\nflags\t\t: fpu sse' }, 'ok', /^Xeon$/],
  [
    processor,
    {
      '/proc/cpuinfo':
        'vendor_id\t: GenuineIntel\nmodel name\t: Xeon\nflags\t\t: fpu hypervisor avx',
    },
    'note',
    /virtual machine on Xeon$/,
  ],
  [processor, { '/proc/cpuinfo': 'model name : QEMU TCG CPU version 2.5+' }, 'warning', /emulated/],
  [processor, { '/proc/cpuinfo': 'vendor_id\t: User Mode Linux' }, 'warning', /emulated/],
  [governor, { [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'performance\n' }, 'ok', /performance/],
  [
    governor,
    {
      [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'performance\n',
      [`${cpu}/cpu1/cpufreq/scaling_governor`]: 'powersave\n',
    },
    'warning',
    /: powersave$/,
  ],
  // A processor without a governor: its finding is unknown.
  [governor, { [`${cpu}/cpu0/`]: '' }, 'unknown', /no CPU frequency governor/],
  [turbo, { [`${cpu}/intel_pstate/no_turbo`]: '1' }, 'ok', /off/],
  [turbo, { [`${cpu}/intel_pstate/no_turbo`]: '0' }, 'note', /on/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '0' }, 'ok', /off/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '1' }, 'note', /on/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '' }, 'unknown', /does not report/],
  [
    load,
    { '/proc/loadavg': '1.00 0 0 1/1 1', [`${cpu}/cpu0/`]: '', [`${cpu}/cpu1/`]: '' },
    'ok',
    /1\.00 on 2 processors/,
  ],
  [
    load,
    { '/proc/loadavg': '1.01 0 0 1/1 1', [`${cpu}/cpu0/`]: '', [`${cpu}/cpu1/`]: '' },
    'warning',
    /1\.01 on 2/,
  ],
  [load, { '/proc/loadavg': '1.01 0 0 1/1 1' }, 'unknown', /unknown/],
  [power, { '/sys/class/power_supply/': '' }, 'ok', /no battery/],
  [
    power,
    {
      '/sys/class/power_supply/BAT0/type': 'Battery',
      '/sys/class/power_supply/BAT0/status': 'Charging',
    },
    'ok',
    /not discharging/,
  ],
  [
    power,
    {
      '/sys/class/power_supply/BAT0/type': 'Battery',
      '/sys/class/power_supply/BAT0/status': 'Discharging',
    },
    'warning',
    /battery/,
  ],
]);

test('throttling during a run is detected by the difference', async () => {
  const count = (value: number) => ({
    [`${cpu}/cpu0/thermal_throttle/core_throttle_count`]: '2',
    [`${cpu}/cpu1/thermal_throttle/core_throttle_count`]: `${value}`,
  });
  expect(await findOn(throttling, count(0))).toMatchObject({ status: 'note', value: 2 });
  const before = [await findOn(throttling, count(3))];
  expect(before[0]).toMatchObject({ status: 'note', value: 5 });
  expect(await findOn(throttling, count(3), { before })).toMatchObject({ status: 'ok' });
  expect(await findOn(throttling, count(10), { before })).toMatchObject({
    status: 'warning',
    what: 'Processors were throttled 7 times during the run',
  });
});

test('the load after a run is the load of the run itself', async () => {
  const files = { '/proc/loadavg': '9.00 0 0 1/1 1', [`${cpu}/cpu0/`]: '' };
  expect(await findOn(load, files)).toMatchObject({ status: 'warning' });
  const before = [await findOn(load, files)];
  expect(await findOn(load, files, { before })).toMatchObject({ status: 'ok' });
});
