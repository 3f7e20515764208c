import { expect, test } from 'vitest';
import { engineFiles } from './engine-files.ts';

test('a command to type quotes the path of its file', () => {
  const [script, job] = engineFiles(
    { slurm: 'w/p;touch pwn.sh', kubernetes: { path: 'a b.yaml', image: 'lab:1' }, shards: 2 },
    {
      planId: '0123456789ab',
      command: 'sweep',
      file: '/plan.json',
      shards: 2,
      programs: [],
      text: '{}',
    },
  );
  expect(script?.next).toMatch(/: bash 'w\/p;touch pwn\.sh'$/);
  expect(job?.next).toMatch(/kubectl apply -f 'a b\.yaml'$/);
});
