/** DevTools' own switch for its design tokens. */
const darkClass = 'theme-with-dark-background';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** DevTools' theme in DevTools; in a tab and in a report the system's. */
function prefersDark(): boolean {
  const panels = globalThis.chrome?.devtools?.panels;
  return panels ? panels.themeName === 'dark' : systemDark.matches;
}

/** Follows the theme, and prints in light. Calls `tell` at first and after each change, for what takes its colours only once. */
export function followTheme(tell: (isDark: boolean) => void): void {
  const show = (dark: boolean): void => {
    document.documentElement.classList.toggle(darkClass, dark);
    tell(dark);
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
