import { expect } from 'vitest';
import { reasonOf } from '../../src/codes/codes.js';
import { reasonOfCause } from '../../src/codes/stated.js';
import type { Verification } from '../../src/verify/model/verification.js';
import { stagesOf } from './verifiable-link.js';

/** Expectations of a diagnosis, in reasons: what it must say, and what it must not. */
export interface Expected {
  /** The reason that the link fails for. */
  readonly fails: string;
  /** Causes that the evidence decides, in order. */
  readonly shown?: readonly string[];
  /** Causes that it is only consistent with; among others, in this order. */
  readonly consistent?: readonly string[];
  /** Reasons that no finding and no cause may have. */
  readonly never: readonly string[];
  /** Causes that are ruled out; among others. */
  readonly ruledOut?: readonly RegExp[];
  readonly notRuledOut?: readonly RegExp[];
}

export function expectDiagnosis({ links }: Verification, expected: Expected): void {
  const { shown = [], consistent = [], never, ruledOut = [], notRuledOut = [] } = expected;
  const [{ causes = [], ruledOut: out = [] } = {}] = links;
  const failures = stagesOf({ links }).filter(({ status }) => status === 'failed');
  expect(failures.map(reasonOf)).toContain(expected.fails);
  const by = (certainty: string) =>
    causes.filter((cause) => cause.certainty === certainty).map(reasonOfCause);
  expect(by('shown')).toEqual(shown);
  const possible = by('consistent');
  expect(possible.filter((reason) => consistent.includes(`${reason}`))).toEqual(consistent);
  for (const { certainty, text } of causes) {
    expect(/^Consistent with/.test(text)).toBe(certainty === 'consistent');
  }
  const reported = [...causes.map(reasonOfCause), ...stagesOf({ links }).map(reasonOf)];
  expect(reported.filter((reason) => never.includes(`${reason}`))).toEqual([]);
  const texts = out.map(({ text }) => text).join('\n');
  for (const pattern of ruledOut) expect(texts).toMatch(pattern);
  for (const pattern of notRuledOut) expect(texts).not.toMatch(pattern);
}
