/** Elements that begin a line. */
const blocks =
  'article|header|section|div|h1|h2|h3|h4|p|ul|ol|li|dl|dt|table|caption|thead|tbody|tr|figure|details|button|svg';

/** A template of lit as HTML text, a line for each block; listeners, properties and directives leave nothing. */
export function htmlText(template: unknown): string {
  return (
    textOf(template)
      .replaceAll(/\s[@.?][\w-]+=(?:"")?(?=[\s>])/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\s+>/g, '>')
      .replaceAll(new RegExp(String.raw`\s*(<(?:${blocks})\b)`, 'g'), '\n$1')
      .replaceAll(/\s+(<\/)/g, '$1')
      .trim() + '\n'
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (typeof value === 'number') return `${value}`;
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (!isTemplate(value)) return '';
  return value.strings.map((string, at) => string + textOf(value.values[at])).join('');
}

function isTemplate(value: unknown): value is { strings: string[]; values: unknown[] } {
  return typeof value === 'object' && value !== null && 'strings' in value && 'values' in value;
}
