import type { Fact } from './fact.js';

/** How a review reads a type: every attribute is in one of the three, or it is unread. */
export interface TypeModel {
  /** Read packet by packet, by a reader of its own. */
  readonly access: readonly string[];
  /** Compared as values. */
  readonly facts: Readonly<Record<string, FactModel>>;
  /** Cannot change who reaches whom; by the reason. */
  readonly harmless: Readonly<Record<string, readonly string[]>>;
}

interface FactModel extends Pick<Fact, 'kind' | 'guards' | 'consequence' | 'isLasting'> {
  /** What of the attribute counts. @default - all of it */
  readonly members?: (value: unknown) => readonly string[];
}

export const to = (consequence: string, guards: Fact['guards'] = 'any'): FactModel => ({
  kind: 'destination',
  guards,
  consequence,
});
export const guard = (consequence: string, guards: Fact['guards'] = 'any'): FactModel => ({
  kind: 'safeguard',
  guards,
  consequence,
});

export const LABEL = 'a label for people and bills';
export const PACE = 'decides how fast and how steadily, not who';
export const PLACE = 'where something is placed; another place replaces it, which is shown as such';

export const LABELS = ['project_name', 'tags', 'description'];

export const OTHER_NETWORK = to('it belongs to another network');
export const OTHER_BACKEND = to('calls go to another backend', 'added');
