import { difference } from '../changes.js';
import { regionOf } from '../region.js';
import type { ReviewedRule } from '../reviewed-rule.js';
import { EVERYTHING } from '../services.js';
import type { Opening } from './reading.js';

/** Where the Terraform JSON and the access rules of a stack part, as sentences. */
export interface Disagreement {
  /** Terraform opens it, and no rule states it. */
  readonly unstated: readonly string[];
  /** A rule states it, and nothing in Terraform opens it. */
  readonly unopened: readonly string[];
}

/** Compares packet by packet; whose the rules are is compared by {@link strayOpenings}. */
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
 * What a resource opens beyond the rules of the subject that it is named for. A resource's name is
 * its subject's, or begins with it; resources of no subject's name are left to the whole.
 */
export function strayOpenings(
  openings: readonly Opening[],
  rules: readonly ReviewedRule[],
): string[] {
  const subjects = [...new Set(rules.map(({ subject }) => subject))];
  const ownerOf = ({ name }: Opening) =>
    subjects
      .filter((subject) => name === subject || name.startsWith(`${subject}-`))
      .sort((a, b) => b.length - a.length)
      .at(0);
  return subjects.flatMap((subject) => {
    const own = openings.filter((opening) => ownerOf(opening) === subject);
    const stated = rules.filter((rule) => rule.subject === subject);
    return compareWithRules(own, stated).unstated.map(
      (sentence) => `${own[0]?.resource}: ${sentence}`,
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
