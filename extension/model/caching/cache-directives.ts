import { parseDictionary } from 'structured-headers';

/** Directives of a Cache-Control field, or of one that says the same to some caches only. */
export interface CacheDirectives {
  /** They are of a targeted field, which takes the place of Cache-Control and Expires. */
  isTargeted: boolean;
  /** Whether it stands there. `name`: lower case. */
  has(name: string): boolean;
  /** Its number of seconds as ms; null when it does not stand there, or has no such value. */
  ms(name: string): number | null;
}

/** What stands between commas, a comma in quotes excepted. */
function members(field: string | null): string[] {
  return (field ?? '').match(/(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g)?.map((part) => part.trim()) ?? [];
}

function secondsMs(digits: string | undefined): number | null {
  return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) * 1000 : null;
}

/** As RFC 9111 section 5.2 has it: a value may be quoted; of a directive that stands there twice the first counts. */
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

/** As Chromium reads it: no quotes, no space before `=`, no value behind `no-cache`; the first that has a number counts. */
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

/** A targeted field (RFC 9213), a dictionary of structured fields; null: it is empty or none, and to be ignored. */
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
