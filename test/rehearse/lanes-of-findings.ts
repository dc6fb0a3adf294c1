import { expect } from 'vitest';
import { isOf, stateStatus } from '../../src/rehearse/report/finding-lanes.js';
import type { RehearsalReport } from '../../src/rehearse/report-schema.js';

/**
 * Holds that lanes and findings say the same: a finding with steps is a coloured stretch of its lane, and a coloured
 * stretch of a lane that was open at first is a finding, or in doubt.
 */
export function expectLanesOfFindings({ findings, head: { timeline } }: RehearsalReport): void {
  const timed = findings.filter(({ kind, from }) => from !== undefined && kind !== 'failure');
  const isColoured = (state = '') => stateStatus(state) !== 'passed';
  for (const finding of timed) {
    const { from = 0, until = timeline.steps.length + 1 } = finding;
    const lanes = timeline.lanes.filter((lane) => isOf(lane, finding));
    expect(lanes.length, finding.text).toBeGreaterThan(0);
    for (let i = from; i < until; i += 1) {
      expect(
        lanes.some(({ states }) => isColoured(states[i])),
        `${finding.text}: ${i}`,
      ).toBe(true);
    }
  }
  const isInDoubt = timed.some(({ kind }) => kind === 'not-shown');
  for (const lane of timeline.lanes) {
    if (isColoured(lane.states[0]) || isInDoubt) continue;
    for (const [i, state] of lane.states.entries()) {
      const isTold = findings.some(
        ({ from = 0, until = Number.POSITIVE_INFINITY, ...finding }) =>
          isOf(lane, finding) && from <= i && i < until,
      );
      if (isColoured(state)) expect(isTold, `${lane.name}, ${state} after ${i}`).toBe(true);
    }
  }
}
