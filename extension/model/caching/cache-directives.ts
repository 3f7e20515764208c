import { parseDictionary } from 'structured-headers';

/** Directives of Cache-Control, or of a targeted field, which applies to certain caches only. */
export interface CacheDirectives {
  /** They are from a targeted field, which replaces Cache-Control and Expires. */
  isTargeted: boolean;
  /** Whether the directive is present. `name`: lower case. */
  has(name: string): boolean;
  /** The directive's value in seconds, converted to ms; null when it is absent or has no such value. */
  ms(name: string): number | null;
}

/** Splits a field at its commas, except commas in quotes. */
function members(field: string | null): string[] {
  return (field ?? '').match(/(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g)?.map((part) => part.trim()) ?? [];
}

function secondsMs(digits: string | undefined): number | null {
  return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) * 1000 : null;
}

/** As RFC 9111 section 5.2 defines: a value may be quoted; of a repeated directive the first counts. */
export function cacheDirectives(field: string | null): CacheDirectives {
  const values = new Map<string, string>();
  for (const member of members(field)) {
    const [, name = '', quoted, token] =
      /^([^\s=]+)(?:\s*=\s*(?:"(.*)"|(.*)))?$/.exec(member) ?? [];
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, quoted ?? token ?? '');
  }
  return {
    isTargeted: false,
    has: (name) => values.has(name),
    ms: (name) => secondsMs(values.get(name)),
  };
}

/**
 * As Chromium parses it: no quotes, no space before `=`, no value after `no-cache`; the first one with a number counts.
 */
export function chromiumDirectives(field: string | null): CacheDirectives {
  const written = members(field).map((member) => member.toLowerCase());
  return {
    isTargeted: false,
    has: (name) => written.includes(name),
    ms: (name) =>
      written
        .filter((member) => member.startsWith(`${name}=`))
        .map((member) => secondsMs(member.slice(name.length + 1).trim()))
        .find((ms) => ms !== null) ?? null,
  };
}

/** A targeted field (RFC 9213), a structured-field dictionary; null: it is empty or malformed, and must be ignored. */
export function targetedDirectives(field: string | null): CacheDirectives | null {
  try {
    const values = parseDictionary(field ?? '');
    if (values.size === 0) return null;
    const valueOf = (name: string) => values.get(name)?.[0];
    return {
      isTargeted: true,
      has: (name) => values.has(name) && valueOf(name) !== false,
      ms(name) {
        const value = valueOf(name);
        return Number.isInteger(value) && Number(value) >= 0 ? Number(value) * 1000 : null;
      },
    };
  } catch {
    return null;
  }
}
