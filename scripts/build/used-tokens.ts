const declaration = /(--[\w-]+):((?:"[^"]*"|'[^']*'|[^;{}"'])*)(?:;|(?=\}))/g;

/**
 * A minified style sheet without the custom properties that nothing uses: no rule, no used property, and no name in
 * `code`. DevTools' design tokens are nine hundred, of which a report needs few.
 */
export function withUsedTokens(css: string, code: string): string {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  for (const [name] of code.matchAll(/--[\w-]+/g)) used.add(name);
  const rest = css.replaceAll(declaration, (all, name: string) => (used.has(name) ? all : ''));
  return rest === css ? css : withUsedTokens(rest, code);
}
