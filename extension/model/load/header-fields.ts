/** Header fields of a message as name and value, in their order. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** The value of a field, its lines joined by commas (RFC 9110 section 5.2); null when the message has no such field. */
export function fieldValue(fields: HeaderFields, name: string): string | null {
  const values = fields.filter(([found]) => found.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** The members of a list such as Accept-Encoding, lower case, without their parameters; those with weight 0 are left out. */
export function listMembers(value: string | null): string[] {
  return (value ?? '')
    .toLowerCase()
    .split(',')
    .map((member) => member.split(';').map((part) => part.trim()))
    .filter(([name, ...parameters]) => name !== '' && !parameters.some(isRefusal))
    .map(([name = '']) => name);
}

function isRefusal(parameter: string): boolean {
  return /^q\s*=\s*0(\.0*)?$/.test(parameter);
}
