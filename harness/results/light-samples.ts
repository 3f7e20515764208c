import type { Sample } from '@cachescope/model/run/sample.ts';

/**
 * Makes a function that takes from a sample what no result is computed from: the page's resource timing and the reasons
 * of the attribution. Equal parts of samples are shared. So a million samples take about 300 MB in place of 2 GB.
 */
export function lightSamples(): (item: object) => object {
  const known = new Map<string, unknown>();
  const shared = <Value>(value: Value): Value => {
    const text = JSON.stringify(value);
    if (!known.has(text)) known.set(text, value);
    return known.get(text) as Value;
  };
  return (item) => {
    const sample = item as Sample;
    const { source, confidence } = sample.attribution;
    return {
      ...sample,
      timing: null,
      attribution: shared({ source, confidence, reasons: [] }),
      cell: shared(sample.cell),
      device: shared(sample.device),
      flags: shared(sample.flags),
      bodySha256: shared(sample.bodySha256),
      ...(sample.machine !== undefined && { machine: shared(sample.machine) }),
    };
  };
}
