import type { Problems } from './option-reading.ts';

/** Parses one of the known names. For any other text it adds a problem and returns the first name. */
export function oneOf<const Name extends string>(known: readonly [Name, ...Name[]]) {
  return (text: string, flag: string, problems: Problems): Name => {
    const name = known.find((each) => each === text);
    if (name !== undefined) return name;
    problems.push(`${flag} is ${JSON.stringify(text)}; known are ${known.join(', ')}`);
    return known[0];
  };
}

/**
 * Parses known names that are separated by commas, in the typed order; an unknown name is a problem. `each` is what a
 * name stands for, such as `an arm`: with it, a repeated name is a problem too.
 */
export function someOf<const Name extends string>(known: readonly Name[], each?: string) {
  return (text: string, flag: string, problems: Problems): Name[] => {
    const names = commaSeparated(text);
    const unknown = names.filter((name) => !known.some((one) => one === name));
    if (unknown.length > 0) {
      const said = unknown.map((name) => JSON.stringify(name)).join(', ');
      problems.push(`${flag} names ${said}; known are ${known.join(', ')}`);
    }
    if (each !== undefined && new Set(names).size < names.length)
      problems.push(`${flag} ${text} names ${each} twice`);
    return names.flatMap((name) => known.find((one) => one === name) ?? []);
  };
}

/** Like `someOf`, in the order of the known names. */
export function someInOrder<const Name extends string>(known: readonly Name[], each?: string) {
  const read = someOf(known, each);
  return (text: string, flag: string, problems: Problems): Name[] => {
    const names = read(text, flag, problems);
    return known.filter((name) => names.includes(name));
  };
}

/** The words between the commas of a text. */
export function commaSeparated(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}
