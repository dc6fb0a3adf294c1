import type { CloudObject } from '../cloud-control/cloud-reader.js';
import type { Choice } from './choose.js';
import { type Difference, findDifferences } from './compare.js';
import type { LeftBehind } from './find-left-behind.js';

/** What to do about an object that was found: only what is certain is adopted. */
export type Verdict =
  | { readonly kind: 'adopt'; readonly found: LeftBehind; readonly identifier: string }
  | {
      readonly kind: 'several';
      readonly found: LeftBehind;
      readonly objects: readonly CloudObject[];
    }
  | {
      readonly kind: 'differs';
      readonly found: LeftBehind;
      readonly identifier: string;
      readonly differences: readonly Difference[];
    };

export interface Decisions {
  /** Objects that are meant where several are found, or none is recognized. */
  readonly chosen: readonly Choice[];
  readonly withDifferences: boolean;
}

export function verdictOn(found: LeftBehind, { chosen, withDifferences }: Decisions): Verdict {
  const { create, objects, ignored } = found;
  const choice = chosen.find(({ address }) => address === create.address);
  const [object, ...others] =
    choice === undefined ? objects : objects.filter(({ identifier }) => identifier === choice.id);
  if (object === undefined || others.length > 0) return { kind: 'several', found, objects };
  const { identifier, properties } = object;
  const differences = findDifferences(create, properties, ignored);
  const isAccepted = withDifferences && differences.every(({ replaces }) => !replaces);
  return differences.length === 0 || isAccepted
    ? { kind: 'adopt', found, identifier }
    : { kind: 'differs', found, identifier, differences };
}
