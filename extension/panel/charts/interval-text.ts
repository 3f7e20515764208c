import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';

/** The ends of an interval, null where they are unknown. */
interface Ends {
  low: number | null;
  high: number | null;
}

/** `10.3 to 12`; a dash when an end is unknown. */
export function intervalText(low: number | null, high: number | null): string {
  return low === null || high === null ? unknownText : `${digits(low)} to ${digits(high)}`;
}

/** A value in a table, with its interval below it; null: there is no interval. */
export function intervalCell(value: string, interval: Ends | null | undefined): TemplateResult {
  const { low, high } = interval ?? { low: null, high: null };
  return html`<span>${value}<small>${intervalText(low, high)}</small></span>`;
}

/** A point in a tooltip: `DCB: 12 ms (10.3 to 14)`. `low` and `high` as a chart keeps them: absent when unknown. */
export function pointText(label: string, value: string, low: unknown, high: unknown): string {
  const text = `${label}: ${value}`;
  if (typeof low !== 'number' || typeof high !== 'number' || low === high) return text;
  return `${text} (${intervalText(low, high)})`;
}
