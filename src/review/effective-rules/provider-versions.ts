/** Versions from the first to before the second one, each as its numbers. */
type Span = readonly [from: readonly number[], before: readonly number[]];

const EVERY: Span = [[0], [Number.POSITIVE_INFINITY]];

/** Tells whether a version constraint of Terraform allows only what another one does, at most; false where one is not read. */
export function staysWithin(constraint: string, range: string): boolean {
  const [inner, outer] = [spanOf(constraint), spanOf(range)];
  if (inner === undefined || outer === undefined) return false;
  return order(inner[0], outer[0]) >= 0 && order(inner[1], outer[1]) <= 0;
}

function spanOf(constraint: string): Span | undefined {
  return constraint.split(',').reduce<Span | undefined>((span, part) => {
    const own = spanOfPart(part);
    if (span === undefined || own === undefined) return undefined;
    const [[from, before], [start, end]] = [span, own];
    return [order(from, start) < 0 ? start : from, order(before, end) > 0 ? end : before];
  }, EVERY);
}

const PART = /^\s*(=|!=|>|>=|<|<=|~>)?\s*v?(\d+(?:\.\d+){0,2})\s*$/;

/** Reads one condition; a pre-release is none that is read. */
function spanOfPart(part: string): Span | undefined {
  const [, operator = '=', text = ''] = PART.exec(part) ?? [];
  if (text === '') return undefined;
  const version = text.split('.').map(Number);
  const whole = [...version, 0, 0].slice(0, 3);
  switch (operator) {
    case '=':
      return [whole, after(whole)];
    case '~>':
      return [whole, version.length > 1 ? after(version.slice(0, -1)) : EVERY[1]];
    case '>':
      return [after(whole), EVERY[1]];
    case '>=':
      return [whole, EVERY[1]];
    case '<':
      return [EVERY[0], whole];
    case '<=':
      return [EVERY[0], after(whole)];
    default:
      return EVERY;
  }
}

/** The next version with as many numbers. */
function after(version: readonly number[]): number[] {
  return version.map((one, i) => (i === version.length - 1 ? one + 1 : one));
}

function order(a: readonly number[], b: readonly number[]): number {
  const differing = [0, 1, 2].find((i) => (a[i] ?? 0) !== (b[i] ?? 0));
  return differing === undefined ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}
