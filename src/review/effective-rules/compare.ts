import { difference } from '../changes.js';
import type { ReviewedRule } from '../reviewed-rule.js';
import { regionOf } from '../sets/region.js';
import { EVERYTHING } from '../sets/services.js';
import type { Opening } from './reading.js';

/** Where the Terraform JSON and the access rules of a stack part, as sentences. */
export interface Disagreement {
  /** Terraform opens it, and no rule states it. */
  readonly unstated: readonly string[];
  /** A rule states it, and nothing in Terraform opens it. */
  readonly unopened: readonly string[];
}

/** Compares packet by packet; whose they are is told by {@link mixedOpenings}. */
export function compareWithRules(
  openings: readonly Opening[],
  rules: readonly ReviewedRule[],
): Disagreement {
  const stated = rules.map(comparable);
  const opened = openings.map((opening) => comparable({ ...NOBODY, ...opening }));
  const { changes } = difference({
    a: { region: regionOf(stated), rules: stated },
    b: { region: regionOf(opened), rules: opened },
  });
  const sentence = ({ direction, peer, services }: (typeof changes)[number]) =>
    `${direction} ${direction === 'ingress' ? 'from' : 'to'} ${peer}, ${services}`;
  return {
    unstated: changes.filter(({ effect }) => effect === 'widens').map(sentence),
    unopened: changes.filter(({ effect }) => effect === 'narrows').map(sentence),
  };
}

/**
 * Resources that open what is stated, but not for one subject alone: rules of one subject that
 * slipped into the group of another.
 */
export function mixedOpenings(
  openings: readonly Opening[],
  rules: readonly ReviewedRule[],
): string[] {
  const subjects = new Map<string, ReviewedRule[]>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.via, rule.subject]);
    subjects.set(key, [...(subjects.get(key) ?? []), rule]);
  }
  return [...new Set(openings.map(({ resource }) => resource))].filter((resource) => {
    const own = openings.filter((opening) => opening.resource === resource);
    return ![...subjects.values()].some(
      (stated) => compareWithRules(own, stated).unstated.length === 0,
    );
  });
}

/** Through a private link the ports are the listeners'; an account or a connection is all or nothing. */
function comparable(rule: ReviewedRule): ReviewedRule {
  const { peer, services } = rule;
  const isLink = peer.kind === 'account' || peer.kind === 'endpoint';
  return { ...rule, stack: '', via: '', subject: '', services: isLink ? EVERYTHING : services };
}

const NOBODY = { stack: '', via: '', subject: '', reason: '', unknown: [] } as const;
