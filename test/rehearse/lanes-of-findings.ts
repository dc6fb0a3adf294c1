import { expect } from 'vitest';
import { isOf, NOT_SHOWN, stateStatus } from '../../src/rehearse/report/finding-lanes.js';
import type { RehearsalReport } from '../../src/rehearse/report-schema.js';

/**
 * Holds that lanes and findings say the same: a finding with steps is a coloured stretch of its lane, and a coloured
 * stretch of a lane that was open at first is a finding, or depends on one that is not shown.
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
  for (const lane of timeline.lanes) {
    if (isColoured(lane.states[0])) continue;
    for (const [i, state] of lane.states.entries()) {
      const isTold = findings.some(
        ({ from = 0, until = Number.POSITIVE_INFINITY, ...finding }) =>
          (isOf(lane, finding) || (state === NOT_SHOWN && finding.kind === 'not-shown')) &&
          from <= i &&
          i < until,
      );
      if (isColoured(state)) expect(isTold, `${lane.name}, ${state} after ${i}`).toBe(true);
    }
  }
}
