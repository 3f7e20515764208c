import { expect, test } from 'vitest';
import { name, originUnderTest } from '../origin-under-test.ts';
import { pagePath, resourcePath, warmUpPath } from '../workloads/urls.ts';

const under = originUnderTest();

test('the page is cross-origin isolated, never stored, and requests no icon', async () => {
  const { headers, body } = await under.get(pagePath);
  expect(headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cache-control': 'no-store',
  });
  expect(body).toContain('<link rel="icon" href="data:,">');
});

test('the warm-up entry is cacheable and uses no dictionary', async () => {
  const { headers } = await under.get(warmUpPath);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers).not.toHaveProperty('use-as-dictionary');
});

test('the index page has every arm with its size, and names never become markup', async () => {
  const { body } = await under.get('/');
  expect(body).not.toContain('</script><b>');
  const json = /<script id="workloads"[^>]*>([^<]*)</.exec(body)?.[1] ?? '';
  const [first, second] = JSON.parse(json) as { title: string; arms: object[] }[];
  expect(second?.title).toBe('</script><b>other');
  const { rawPayload } = await under.get(resourcePath(name, 'dcb'), under.holder);
  expect(first?.arms).toContainEqual({
    label: 'DCB',
    path: expect.stringMatching(/^\/workloads\/.*\/resource\/dcb\?v=[0-9a-f]{16}$/),
    bytes: rawPayload.byteLength,
  });
});
