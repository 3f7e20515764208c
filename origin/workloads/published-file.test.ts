import { expect, test } from 'vitest';
import { publishedFiles } from './catalog.ts';
import { packageFile } from './published-file.ts';

test('a file with other bytes than the published ones is refused, with both checksums', async () => {
  const [file] = publishedFiles;
  const other = { ...file!, sha256: 'ab'.repeat(32) };
  await expect(packageFile(other)).rejects.toMatchObject({
    code: 'CS_WORKLOAD_PACKAGE',
    message: expect.stringMatching(new RegExp(`SHA-256 ${file!.sha256} and not abab`)),
  });
});
