/** The fields whose values are known: neither undefined nor null. For objects in which an unknown value is absent. */
export function knownFields<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
