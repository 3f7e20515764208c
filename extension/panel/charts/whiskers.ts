/** Style of an interval's whiskers. */
export function whiskers(color: string) {
  return {
    errorBarColor: { v: [color] },
    errorBarWhiskerColor: { v: [color] },
    errorBarLineWidth: { v: [1.5] },
    errorBarWhiskerLineWidth: { v: [1.5] },
    errorBarWhiskerSize: { v: [9] },
    errorBarWhiskerRatio: { v: [0] },
  };
}
