import { expect } from 'vitest';
import type { Verification } from '../../src/verify/model/verification.js';
import { stagesOf } from './verifiable-link.js';

/** Expectations of a diagnosis: what it must say, and what it must not. */
export interface Expected {
  /** The code that the link fails with. */
  readonly fails: string;
  /** Causes that the evidence decides, in order. */
  readonly shown?: readonly string[];
  /** Causes that it is only consistent with; among others, in this order. */
  readonly consistent?: readonly string[];
  /** Codes that no finding and no cause may have. */
  readonly never: readonly string[];
  /** Causes that are ruled out; among others. */
  readonly ruledOut?: readonly RegExp[];
  readonly notRuledOut?: readonly RegExp[];
}

export function expectDiagnosis({ links }: Verification, expected: Expected): void {
  const { shown = [], consistent = [], never, ruledOut = [], notRuledOut = [] } = expected;
  const [{ causes = [], ruledOut: out = [] } = {}] = links;
  const failures = stagesOf({ links }).filter(({ status }) => status === 'failed');
  expect(failures.map(({ code }) => code)).toContain(expected.fails);
  const by = (certainty: string) =>
    causes.filter((cause) => cause.certainty === certainty).map(({ code }) => code);
  expect(by('shown')).toEqual(shown);
  const possible = by('consistent');
  expect(possible.filter((code) => consistent.includes(code))).toEqual(consistent);
  for (const { certainty, text } of causes) {
    expect(/^Consistent with/.test(text)).toBe(certainty === 'consistent');
  }
  const reported = [
    ...causes.map(({ code }) => code),
    ...stagesOf({ links }).map(({ code }) => code),
  ];
  expect(reported.filter((code) => never.includes(code ?? ''))).toEqual([]);
  const texts = out.map(({ text }) => text).join('\n');
  for (const pattern of ruledOut) expect(texts).toMatch(pattern);
  for (const pattern of notRuledOut) expect(texts).not.toMatch(pattern);
}
