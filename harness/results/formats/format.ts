import type { Measurements } from './measurements.ts';

/** What a consumer wants to know and no run says. */
export interface Labels {
  /** Name of the machine, as a dashboard lists it. */
  bot: string | undefined;
  /** Commit of the browser that was measured, lower-case hex. */
  gitHash: string | undefined;
}

/** A form in which other programs read a run or a comparison. Pure: the same run gives the same bytes. */
export interface Format {
  /** Who reads it, for the help and the docs. */
  readers: string;
  /** Labels that it cannot do without. */
  needs?: readonly (keyof Labels)[];
  /** A text, bytes, or an object that becomes JSON. */
  render(measurements: Measurements, labels: Labels): string | Uint8Array | object;
}
