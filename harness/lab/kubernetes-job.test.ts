import { expect, test } from 'vitest';
import { YAML } from 'zx';
import { Job, type IJob } from 'kubernetes-models/batch/v1/Job';
import { ConfigMap, type IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { readShard } from '../options/shard-reading.ts';
import { kubernetesJob } from './kubernetes-job.ts';

const plan = {
  planId: '0a1b2c3d4e5f',
  command: 'sweep',
  file: '/shared/plan.json',
  shards: 6,
  programs: [],
};
const planText = '{\n  "kind": "cachescope plan"\n}\n';

function manifests(): [IConfigMap, IJob] {
  const text = kubernetesJob(plan, planText, 'registry.example/cachescope:0.1.0');
  const [configMap, job, ...more] = YAML.parseAllDocuments(text).map(
    (each) => each.toJS() as object,
  );
  expect(more).toEqual([]);
  return [configMap as IConfigMap, job as IJob];
}

test('both manifests fit the published schemas, and a changed one does not', () => {
  const [configMap, job] = manifests();
  new ConfigMap(configMap).validate();
  new Job(job).validate();
  const wrong = structuredClone(job) as unknown as { spec: { completions: unknown } };
  wrong.spec.completions = 'six';
  expect(() => new Job(wrong as unknown as IJob).validate()).toThrow(/completions/);
});

test('each pod takes the shard of its index from the plan of the ConfigMap, alone on its node', () => {
  const [configMap, { spec }] = manifests();
  expect(configMap.data).toEqual({ 'plan.json': planText });
  expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 6, parallelism: 6 });
  const pod = spec?.template.spec;
  const [container] = pod?.containers ?? [];
  expect(container?.args?.join(' ')).toBe('sweep --plan /plan/plan.json --shard auto --wait');
  expect(container?.securityContext?.privileged).toBe(true);
  const [rule] =
    pod?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  expect(rule?.topologyKey).toBe('kubernetes.io/hostname');
  expect(Object.keys(spec?.template.metadata?.labels ?? {})).toEqual(
    rule?.labelSelector?.matchExpressions?.map(({ key }) => key),
  );
  const volumes = pod?.volumes?.map(({ name }) => name);
  expect(container?.volumeMounts?.map(({ name }) => name)).toEqual(volumes);
  const set = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
  const problems: string[] = [];
  // The Job controller sets the index of each pod, from 0.
  const variables = { ...set, JOB_COMPLETION_INDEX: '5' };
  expect(readShard('auto', '--shard', problems, variables)).toEqual({ number: 6, count: 6 });
});

test('a plan that no ConfigMap can hold is refused', () => {
  expect(() => kubernetesJob(plan, 'x'.repeat(1_000_001), 'cachescope')).toThrow(
    /the plan has 1000001 bytes, and a ConfigMap holds at most 1000000/,
  );
});
