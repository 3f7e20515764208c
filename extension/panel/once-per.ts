/** A function whose value is made once for each subject: a view is drawn again and again, and its sums stay. */
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
