/** A step into a value: an attribute's name or the index of a list's member. */
export type PathStep = string | number;

/** What the plugin protocol reports to the user. */
export interface Diagnostic {
  readonly severity: 'ERROR' | 'WARNING';
  readonly summary: string;
  readonly detail: string;
  readonly attribute?: AttributePath;
}

interface AttributePath {
  readonly steps: readonly ({ attribute_name: string } | { element_key_int: number })[];
}

export function error(summary: string, detail: string, path?: readonly PathStep[]): Diagnostic {
  return {
    severity: 'ERROR',
    summary,
    detail,
    ...(path === undefined ? {} : { attribute: attributePath(path) }),
  };
}

export function warning(summary: string, detail: string): Diagnostic {
  return { severity: 'WARNING', summary, detail };
}

export function attributePath(path: readonly PathStep[]): AttributePath {
  return {
    steps: path.map((step) =>
      typeof step === 'number' ? { element_key_int: step } : { attribute_name: step },
    ),
  };
}

/** The text of whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
