import { expect, test } from 'vitest';
import { initialState } from '../panel-state.ts';
import { columnPx, shownColumns } from './columns.ts';

const shownAt = (panelPx: number) => {
  const state = { ...initialState, panelPx };
  const shown = shownColumns(state);
  return {
    ids: shown.map(({ id }) => id).join(' '),
    widthPx: shown.reduce((sum, column) => sum + columnPx(column, state), 0),
  };
};

test.each([
  [230, 'name source'],
  [300, 'name source'],
  [376, 'name source time'],
  [639, 'name status coding source transferred time'],
])('a panel of %i px shows the most important columns: %s', (panelPx, ids) => {
  const shown = shownAt(panelPx);
  expect(shown.ids).toBe(ids);
  expect(shown.widthPx).toBeLessThanOrEqual(panelPx);
});

test('the source column of a narrow panel has the width that the name column leaves', () => {
  expect(shownAt(270).widthPx).toBe(270);
});

test('a wide panel shows every column that the user has not hidden', () => {
  const { ids } = shownAt(1280);
  expect(ids).toMatch(/^name status .*source .*time waterfall$/);
});
