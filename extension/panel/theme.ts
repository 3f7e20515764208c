/** The class by which DevTools switches its design tokens. */
const darkClass = 'theme-with-dark-background';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The theme of DevTools inside DevTools; in a tab and in a report that of the system. */
function prefersDark(): boolean {
  const panels = globalThis.chrome?.devtools?.panels;
  return panels ? panels.themeName === 'dark' : systemDark.matches;
}

/**
 * Follows the theme, and prints in light. Calls `apply` at once and after each change, for code that reads colours only
 * once.
 */
export function followTheme(apply: (isDark: boolean) => void): void {
  const show = (dark: boolean): void => {
    document.documentElement.classList.toggle(darkClass, dark);
    apply(dark);
  };
  const follow = (): void => show(prefersDark());
  systemDark.addEventListener('change', follow);
  globalThis.chrome?.devtools?.panels.setThemeChangeHandler?.(follow);
  addEventListener('beforeprint', () => show(false));
  addEventListener('afterprint', follow);
  follow();
}

/** The current value of a design token, for drawing on canvas. */
export function token(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
