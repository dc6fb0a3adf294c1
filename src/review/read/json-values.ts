export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is filled in by Terraform, or is a token that nobody resolved. */
export function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('${') || value.includes('%{'));
}

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
