import { expect, test } from 'vitest';
import { oldNodeText } from './old-node.mjs';

test.each(['12.22.12', '16.20.2', '18.14.2'])('Node %s is too old to start anything', (version) => {
  expect(oldNodeText(version)).toMatch(/^CS_SETUP_NODE: Node .* 18\.15 or newer is needed/);
});

test.each(['18.15.0', '18.20.4', '20.0.0', '26.10.0'])('Node %s can start', (version) => {
  expect(oldNodeText(version)).toBeNull();
});
