const declaration = /(--[\w-]+):((?:"[^"]*"|'[^']*'|[^;{}"'])*)(?:;|(?=\}))/g;

/**
 * A minified style sheet without unused custom properties. A property is used when a rule, another used property or a
 * name in `code` refers to it. DevTools has nine hundred design tokens, of which a report needs few.
 */
export function withUsedTokens(css: string, code: string): string {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  for (const [name] of code.matchAll(/--[\w-]+/g)) used.add(name);
  const rest = css.replaceAll(declaration, (all, name: string) => (used.has(name) ? all : ''));
  return rest === css ? css : withUsedTokens(rest, code);
}
