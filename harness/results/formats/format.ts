import type { Measurements } from './measurements.ts';

/** Labels that a format's reader needs and that no run contains. */
export interface Labels {
  /** Name of the machine in a dashboard. */
  bot: string | undefined;
  /** Commit of the browser that was measured, lower-case hex. */
  gitHash: string | undefined;
}

/** A format in which other programs read a run or a comparison. Pure: the same run gives the same bytes. */
export interface Format {
  /** Programs or people that read it, for the help and the docs. */
  readers: string;
  /** Labels that it requires. */
  needs?: readonly (keyof Labels)[];
  /** A text, bytes, or an object that is serialized as JSON. */
  render(measurements: Measurements, labels: Labels): string | Uint8Array | object;
}
