import { expect, test } from 'vitest';
import { encode } from '../encoding/encoder.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import { catalogNames, findWorkload, workloadProblem } from './catalog.ts';

// Sizes of the published files, and of their encodings in a reference run of Node 26's encoders.
test.each([
  ['pdfjs', { dictionary: 1_031_813, resource: 1_037_158, br: 265_000, dcb: 8500 }],
  ['three', { dictionary: 1_403_455, resource: 1_405_971, br: 237_000, dcb: 3570 }],
])(
  '%s is the real upgrade, and its dictionary saves as much as in the reference run',
  async (name, sizes) => {
    const { dictionary, resource } = await findWorkload(name);
    expect(dictionary.byteLength).toBe(sizes.dictionary);
    expect(resource.byteLength).toBe(sizes.resource);
    const br = await encode('br', resource, defaultQualities);
    const dcb = await encode('dcb', resource, defaultQualities, dictionary);
    expect(Math.abs(br.byteLength / sizes.br - 1)).toBeLessThan(0.03);
    expect(Math.abs(dcb.byteLength / sizes.dcb - 1)).toBeLessThan(0.03);
  },
);

test('an unknown name is refused with a list of the known names', async () => {
  for (const name of ['nope', '', '../three', 'constructor', 'synthetic:1GiB']) {
    expect(workloadProblem(name)).not.toBeNull();
    await expect(findWorkload(name)).rejects.toMatchObject({ code: 'CS_WORKLOAD_UNKNOWN' });
  }
  await expect(findWorkload('nope')).rejects.toThrow(/"nope".*pdfjs, three and synthetic:SIZE/);
});

test('known names are found', async () => {
  for (const name of [...catalogNames, 'synthetic:1KiB']) {
    expect(workloadProblem(name)).toBeNull();
    expect((await findWorkload(name)).name).toBe(name);
  }
});
