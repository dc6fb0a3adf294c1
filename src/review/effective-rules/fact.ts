/** A single value or set of values that decides where traffic ends up, who controls it or what protects it. */
export interface Fact {
  readonly kind: 'destination' | 'safeguard' | 'control';
  /** Terraform's address of a resource, or a block such as `provider.null`. */
  readonly resource: string;
  /** What is decided, as a noun phrase; with `resource` it is the identity of the fact. */
  readonly what: string;
  /** In order, without repeats; none where nothing is stated. */
  readonly values: readonly string[];
  /** Which values need approval when they change; `replaced` is one for another. */
  readonly guards: 'added' | 'removed' | 'replaced' | 'any';
  /** What a guarded change means, as a clause. */
  readonly consequence: string;
  /** It is missed also where its resource goes away; others go with their resource. */
  readonly isLasting?: true;
}

/** Makes facts of what protects a deploy: they are missed also where their resource goes away. */
export function safeguardsOf(resource: string) {
  return (what: string, values: unknown, guards: Fact['guards'], consequence: string): Fact => ({
    kind: 'safeguard',
    resource,
    what,
    values: toValues(values),
    guards,
    consequence,
    isLasting: true,
  });
}

export function toValues(value: unknown): string[] {
  const all = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return [...new Set(all.map(toText))].sort();
}

/** The same text for the same value, in whatever order its members are written. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
