import { typeIcons } from './columns.ts';
import type { IconName } from '../icon.ts';
import { token } from '../theme.ts';
import { verdictIcons } from '../run/verdict-words.ts';

/** DevTools' colours of file types, and the waterfall's colours of sources. */
const colours: Partial<Record<IconName, `--${string}`>> = {
  'file-document': '--icon-file-document',
  'file-stylesheet': '--icon-file-styles',
  'file-script': '--icon-file-script',
  'file-image': '--icon-file-image',
  'file-font': '--icon-file-font',
  'file-media': '--icon-file-media',
  cloud: '--sys-color-blue-bright',
  memory: '--sys-color-green-bright',
  database: '--sys-color-green-bright',
  'speculative-loads': '--sys-color-green-bright',
  download: '--sys-color-green-bright',
  lightbulb: '--sys-color-green-bright',
  history: '--sys-color-green-bright',
  replay: '--sys-color-green-bright',
  sync: '--sys-color-cyan-bright',
  gears: '--sys-color-orange-bright',
};

const names = new Set([...Object.values(typeIcons), ...verdictIcons]);
const sheet = new CSSStyleSheet();

/**
 * Colours the icons of rows for the theme, as background images. Icons elsewhere are masks; in rows each mask would
 * create a layer in every frame of a scroll.
 */
export function colourRowIcons(): void {
  const probe = document.createElement('span');
  document.body.append(probe);
  const rules = [...names].map((name) => {
    probe.className = `icon-${name}`;
    const masked = getComputedStyle(probe).getPropertyValue('--icon');
    const colour = encodeURIComponent(token(colours[name] ?? '--sys-color-on-surface-subtle'));
    const image = masked.replaceAll(/fill='(?!none)[^']*'/g, `fill='${colour}'`);
    return `.with-image.icon-${name} { background-image: ${image}; }`;
  });
  probe.remove();
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [sheet];
}
