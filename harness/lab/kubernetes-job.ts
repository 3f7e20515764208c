import { YAML } from 'zx';
import { usageError } from '../error.ts';
import type { DividedPlan } from './slurm-script.ts';

/** A ConfigMap holds at most 1 MiB (kubernetes.io, ConfigMap); the names and the frame of the file need some of it. */
const mostPlanBytes = 1_000_000;

const labelOf = ({ planId }: DividedPlan) => ({ 'cachescope-plan': planId });

/**
 * Manifests for Kubernetes, as YAML: a ConfigMap with the plan, and an Indexed Job with one pod for each shard, at most
 * one on a node. Needs a claim named `cachescope-results` that pods of all nodes can write to.
 *
 * @param planText the plan file.
 * @param image the container's image, with the installed command as its entry.
 * @throws CachescopeError CS_USAGE for a plan that is too large for a ConfigMap.
 */
export function kubernetesJob(plan: DividedPlan, planText: string, image: string): string {
  const bytes = Buffer.byteLength(planText);
  if (bytes > mostPlanBytes)
    throw usageError([
      `--kubernetes: the plan has ${bytes} bytes, and a ConfigMap holds at most ${mostPlanBytes}; name fewer options, or put the plan on the volume by hand`,
    ]);
  const name = `cachescope-${plan.planId}`;
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: labelOf(plan) },
    data: { 'plan.json': planText },
  };
  const text = [configMap, job(plan, name, image)]
    .map((each) => YAML.stringify(each))
    .join('---\n');
  return `# Plan ${plan.planId} in ${plan.shards} shards. Runs go to the claim cachescope-results, which all nodes can write to.
# A privileged container is root on its node: harness/docs/container.md says what it needs, and why.
${text}`;
}

function job(plan: DividedPlan, name: string, image: string): object {
  const { command, shards, programs } = plan;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labelOf(plan) },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimitPerIndex: 3,
      template: {
        metadata: { labels: labelOf(plan) },
        spec: {
          restartPolicy: 'Never',
          affinity: { podAntiAffinity: onePodANode },
          containers: [
            {
              name: 'cachescope',
              image,
              args: [
                command,
                '--plan',
                '/plan/plan.json',
                '--shard',
                'auto',
                '--wait',
                ...programs,
              ],
              env: [
                { name: 'CACHESCOPE_SHARDS', value: String(shards) },
                {
                  name: 'CACHESCOPE_MACHINE',
                  valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } },
                },
              ],
              securityContext: { privileged: true },
              volumeMounts: [
                { name: 'plan', mountPath: '/plan', readOnly: true },
                { name: 'results', mountPath: '/results/results' },
                { name: 'dev', mountPath: '/dev' },
              ],
            },
          ],
          volumes: [
            { name: 'plan', configMap: { name } },
            { name: 'results', persistentVolumeClaim: { claimName: 'cachescope-results' } },
            // /dev/fuse, and the loop devices that appear while a shard runs.
            { name: 'dev', hostPath: { path: '/dev', type: 'Directory' } },
          ],
        },
      },
    },
  };
}

/** Pods of every plan keep away from each other: two shards on a node would measure each other. */
const onePodANode = {
  requiredDuringSchedulingIgnoredDuringExecution: [
    {
      labelSelector: { matchExpressions: [{ key: 'cachescope-plan', operator: 'Exists' }] },
      topologyKey: 'kubernetes.io/hostname',
    },
  ],
};
