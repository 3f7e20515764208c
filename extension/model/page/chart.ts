import type { Interval } from '../statistics/interval.ts';

/** The looks of series in charts: a colour and a marker, so that series are never distinguished by colour alone. */
export const looks = [
  'blue',
  'orange',
  'green',
  'purple',
  'cyan',
  'pink',
  'yellow',
  'neutral',
] as const;
export type LookName = (typeof looks)[number];

/** The texts of a chart. */
interface ChartTexts {
  /** The element id of the figure in the page, and the name of its image file. */
  id: string;
  title: string;
  /** How to read the chart. What the data says is in the finding. */
  caption: string;
  /** Takes the whole width of the page. */
  isWide?: boolean;
}

/** An axis of a quantity. */
export interface Axis {
  /** Quantity and unit. */
  title: string;
  /** A value with its unit. */
  text: (value: number) => string;
  /** Absent: linear. A logarithmic axis shows no values of 0 and below. */
  isLogarithmic?: boolean;
  /** Positions of the ticks of a horizontal logarithmic axis; absent: the measured positions. */
  ticks?: readonly number[];
  /** How far a vertical logarithmic axis reaches beyond the greatest value, as a factor; absent: 1.5. */
  headroom?: number;
  /** Where a linear axis begins and ends; absent: at 0, and at a round value beyond all. */
  range?: readonly [first: number, last: number];
  /** The values are differences, which may be below 0; the line at 0 stands out. */
  isDifference?: boolean;
  /** The values are whole numbers, such as launches. */
  isWhole?: boolean;
  /** A value marked by a dashed line; the caption explains it. */
  mark?: number;
  /** A shaded range, such as the interval of the mark; the caption explains it. */
  band?: Interval;
}

/** A position in a chart, in the units of its axes. */
export interface Place {
  x: number;
  y: number;
}

/** A value with its interval; null: unknown. */
export interface ChartPoint {
  x: number;
  y: number | null;
  low?: number | null;
  high?: number | null;
}

/** One line of a chart; an empty label keeps it out of the legend. With many points it has no marks, and is thinned out without losing extremes. */
export interface ChartLine {
  label: string;
  look: LookName;
  /** Place in the list of dash patterns; absent: solid. */
  dash?: number;
  /**
   * `marks`: without a line between them; `hollow`: the same, apart from the lines; `band`: a line without marks, and its
   * intervals as an area. Absent: a line with marks and whiskers.
   */
  form?: 'marks' | 'hollow' | 'band';
  /** Rising in x. */
  points: readonly ChartPoint[];
  /** A model of the line, drawn dashed. */
  model?: readonly Place[];
  /** Single measurements, faint behind the line. */
  single?: readonly Place[];
}

/** Lines with intervals over a quantity. */
export interface LinesChart extends ChartTexts {
  kind: 'lines';
  x: Axis;
  y: Axis;
  lines: readonly ChartLine[];
  /** Marked places of the horizontal axis, with their name in the legend. */
  moments?: { name: string; places: readonly number[] };
  /** Values drawn as horizontal lines, with their names in the legend. */
  limits?: readonly { name: string; value: number }[];
  /** Strips below the chart, over the same horizontal axis. The axis names what they show; they are not in the legend. */
  beneath?: readonly ChartStrip[];
}

/** A low chart of one quantity below another chart. */
export interface ChartStrip {
  y: Axis;
  lines: readonly ChartLine[];
}

/** A bar with its interval; null: unknown. */
export interface ChartBar {
  label: string;
  /** Bars of several series with one label are beside each other; absent: there is one series. */
  series?: string;
  look: LookName;
  value: number | null;
  low?: number | null;
  high?: number | null;
}

/** Horizontal bars with their values at their ends. */
export interface BarsChart extends ChartTexts {
  kind: 'bars';
  axis: Axis;
  bars: readonly ChartBar[];
}

export type Chart = LinesChart | BarsChart;
