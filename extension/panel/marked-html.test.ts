import { printable } from '@cachescope/model/printable.ts';
import { expect, test } from 'vitest';
import { html } from './marked-html.ts';

test('characters that change the direction of text are marked in every text, and nothing else is changed', () => {
  const name = 'photo_\u202Egpj.exe';
  const onClick = (): void => undefined;
  const { values } = html`<a title=${`${name}\nsecond`} @click=${onClick}
    >${name} ${5} ${'日本'}</a
  >`;
  expect(values).toEqual([`${printable(name)}\nsecond`, onClick, printable(name), 5, '日本']);
  expect(JSON.stringify(values)).not.toContain('\u202E');
});
