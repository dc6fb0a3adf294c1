import type { TABLE } from '../../cloud/table/index.js';
import type { Meaning } from '../../reach/rules/reading.js';

type ResourceType = Extract<(typeof TABLE)[number], { readonly kind: 'resource' }>['type'];

/** The types of a service of the cloud: one that the package deploys and no review knows does not compile. */
export type TypesOf<Service extends string> = Readonly<
  Record<Extract<ResourceType, `volcenginecc_${Service}_${string}`>, ReviewedType>
>;

/** A review's knowledge of a resource type. */
export interface ReviewedType {
  /** The reader's word for a resource of the type. */
  readonly name: string;
  readonly effects: Effects;
  /** Undefined where the type has a reader of its own. */
  readonly model: TypeModel | undefined;
}

/** The consequences for connections and clients if a resource is removed or changed. */
export interface Effects {
  readonly removed: string;
  /** Terraform destroys it and makes another. */
  readonly replaced: string;
  /** Removed or replaced, it cuts every client or call that there is. */
  readonly cutsAll?: true;
  /** The meaning of a change in place, by attribute. */
  readonly changed?: Readonly<Record<string, string>>;
}

/** The reading of a type: every attribute is in one of the three lists, or it is unread. */
export interface TypeModel {
  /** Read packet by packet, by a reader of its own. */
  readonly access: readonly string[];
  /** Compared as values. */
  readonly facts: Readonly<Record<string, FactModel>>;
  /** Cannot change who reaches whom; by the reason. */
  readonly harmless: Readonly<Record<string, readonly string[]>>;
}

interface FactModel extends Meaning {
  /** Selects the part of the attribute that counts. @default - all of it */
  readonly members?: (value: unknown) => readonly string[];
}

export const to = (consequence: string, guards: Meaning['guards'] = 'any'): FactModel => ({
  kind: 'destination',
  guards,
  consequence,
});
export const guard = (consequence: string): FactModel => ({
  ...to(consequence),
  kind: 'safeguard',
});

export const LABEL = 'a label for people and bills';
export const PACE = 'decides how fast and how steadily, not who';
export const PLACE = 'where something is placed; another place replaces it, which is shown as such';

export const LABELS = ['project_name', 'tags', 'description'];

export const OTHER_NETWORK = to('it belongs to another network');
export const OTHER_BACKEND = to('calls go to another backend', 'added');
export const RESOLVES = to(
  'names resolve to something else, so calls with their tokens go elsewhere',
);
