import Table from 'cli-table3';

/**
 * Plain columns without a frame, separated by two spaces, so that two arms fit 80 columns and `cut` and `awk` can parse
 * it.
 */
export function plainTable(head: string[], alignLeft: number): Table.Table {
  const none = Object.fromEntries(
    ['top', 'bottom', 'left', 'right'].flatMap((side) => [
      [side, ''],
      [`${side}-mid`, ''],
      [`${side}-left`, ''],
      [`${side}-right`, ''],
    ]),
  );
  return new Table({
    head,
    chars: { ...none, mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', middle: '  ' },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, index) => (index < alignLeft ? 'left' : 'right')),
  });
}
