/**
 * Makes a reader of objects remember what it has read for as long as the object lives: one review asks
 * for the same stack many times. The object and what is read of it must not change.
 */
export function remember<From extends object, Read extends object>(
  read: (from: From) => Read,
): (from: From) => Read {
  const known = new WeakMap<From, Read>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before;
    const now = read(from);
    known.set(from, now);
    return now;
  };
}
