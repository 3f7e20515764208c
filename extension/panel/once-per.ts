/**
 * Computes a value once for each subject, because a view is drawn many times. Later arguments are used at the first
 * call only.
 */
export function oncePer<Subject extends object, Rest extends unknown[], Value>(
  make: (subject: Subject, ...rest: Rest) => Value,
): (subject: Subject, ...rest: Rest) => Value {
  const known = new WeakMap<Subject, { value: Value }>();
  return (subject, ...rest) => {
    const made = known.get(subject) ?? { value: make(subject, ...rest) };
    known.set(subject, made);
    return made.value;
  };
}
