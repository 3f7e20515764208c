import { expect, test } from 'vitest';
import { upload, uploadEnded, uploadWords } from './upload.ts';

test('an upload command is split into arguments, not passed to a shell', () => {
  expect(uploadWords('aws s3 cp --recursive {} s3://b/{}', '/r/a b;c')).toEqual([
    'aws',
    's3',
    'cp',
    '--recursive',
    '/r/a b;c',
    's3://b//r/a b;c',
  ]);
  expect(uploadWords('store', '/r')).toEqual(['store', '/r']);
});

test('after a failed upload only a complete shard is started again', async () => {
  await expect(upload('false', '/r', true)).rejects.toMatchObject({
    code: 'CS_UPLOAD',
    exitCode: 1,
    hint: 'The run is in /r. Start the same shard again: it only uploads.',
  });
  await expect(upload('false {}', '/r', false)).rejects.toMatchObject({
    hint: 'The measurements are kept in /r. Upload them by hand: false /r',
  });
});

test('a failed upload does not replace the exit code of a run that was interrupted or is partial', async () => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  for (const exitCode of [130, 4])
    expect(await uploadEnded('false', '/r', { exitCode, isShard: true, say })).toBe(exitCode);
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/^CS_UPLOAD: .*\nThe measurements are kept in \/r\./);
  const complete = uploadEnded('false', '/r', { exitCode: 0, isShard: false, say });
  await expect(complete).rejects.toMatchObject({ code: 'CS_UPLOAD' });
  expect(await uploadEnded('true', '/r', { exitCode: 0, isShard: true, say })).toBe(0);
});

test('the command to upload by hand can be pasted', async () => {
  await expect(upload('false {}', '/tmp/a b; rm -rf ~\n::error::', false)).rejects.toMatchObject({
    hint: String.raw`The measurements are kept in /tmp/a b; rm -rf ~\n::error::. Upload them by hand: false $'/tmp/a b; rm -rf ~\n::error::'`,
  });
});
