/** DevTools' own switch for its design tokens. */
const darkClass = 'theme-with-dark-background';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** DevTools' theme in DevTools; in a tab and in a report the system's. */
function prefersDark(): boolean {
  const panels = globalThis.chrome?.devtools?.panels;
  return panels ? panels.themeName === 'dark' : systemDark.matches;
}

/** Follows the theme, and prints in light. Calls `redraw` after each change, for what takes its colours only once. */
export function followTheme(redraw: () => void): void {
  const show = (dark: boolean): void => {
    const changed = document.documentElement.classList.contains(darkClass) !== dark;
    document.documentElement.classList.toggle(darkClass, dark);
    if (changed) redraw();
  };
  const follow = (): void => show(prefersDark());
  systemDark.addEventListener('change', follow);
  globalThis.chrome?.devtools?.panels.setThemeChangeHandler?.(follow);
  addEventListener('beforeprint', () => show(false));
  addEventListener('afterprint', follow);
  follow();
}

/** The present value of a design token, for drawing on canvas. */
export function token(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
