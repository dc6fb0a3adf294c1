import type { BeforePlan, ChangingStack } from './changing-stack.js';

/** The steps, in their order; each is loaded only by a run that changes a stack. */
const STEPS: readonly (() => Promise<BeforePlan>)[] = [
  async () => (await import('./local-state.js')).refuseStateInCheckout,
  async () => (await import('./errored-state.js')).saveErroredState,
  async () => (await import('./state-owner.js')).refuseStateOfAnother,
  async () => (await import('./left-behind.js')).heedLeftBehind,
];

export async function beforePlan(stack: ChangingStack): Promise<void> {
  for (const load of STEPS) await (await load())(stack);
}
