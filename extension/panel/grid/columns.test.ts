import { expect, test } from 'vitest';
import { defaultSettings } from '../panel-settings.ts';
import { initialState } from '../panel-state.ts';
import { columnPx, columns, shownColumns } from './columns.ts';

const shownAt = (panelPx: number, settings = defaultSettings) => {
  const state = { ...initialState, panelPx, settings };
  const shown = shownColumns(state);
  return {
    ids: shown.map(({ id }) => id).join(' '),
    widthPx: shown.reduce((sum, column) => sum + columnPx(column, state), 0),
  };
};

test.each([
  [230, 'name source'],
  [300, 'name source'],
  [391, 'name source time'],
  [560, 'name coding source transferred time'],
  [639, 'name status coding source transferred time'],
  [700, 'name status coding source transferred time'],
  [900, 'name status type coding source transferred time waterfall'],
])('a panel of %i px shows the most important columns: %s', (panelPx, ids) => {
  const shown = shownAt(panelPx);
  expect(shown.ids).toBe(ids);
  expect(shown.widthPx).toBeLessThanOrEqual(panelPx - 15);
});

test('the source column of a narrow panel has the width that the name column leaves', () => {
  expect(shownAt(285).widthPx).toBe(270);
});

test('a wide panel shows every column that the user has not hidden', () => {
  const { ids } = shownAt(1149);
  const { hidden } = defaultSettings;
  const chosen = columns.map(({ id }) => id).filter((id) => !hidden.includes(id));
  expect(ids.split(' ')).toEqual(chosen);
  expect(shownAt(3000, { ...defaultSettings, hidden: [] }).ids.split(' ')).toEqual(
    columns.map(({ id }) => id),
  );
});

test('a column that the user has widened hides no other, and one made narrower leaves room', () => {
  const wide = { ...defaultSettings, widths: { name: 600 } };
  expect(shownAt(1149, wide).ids).toBe(shownAt(1149).ids);
  const narrow = { ...defaultSettings, widths: { source: 120 } };
  expect(shownAt(700, narrow).ids).toBe('name status coding source transferred encoded time');
});
