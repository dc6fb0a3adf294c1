import type { CloudState, Mutation } from '../../sandbox/cloud/cloud-state.js';

/** One mutation, with the cloud as it was right after it. */
export interface Step extends Mutation {
  readonly cloud: CloudState;
}

/** A step of the cloud with the stack whose deploy did it. */
export type StackStep = Step & { readonly stack: string };

/**
 * Records every mutation of a cloud: hand {@link Recorder.onMutation} to the sandbox. Each step keeps
 * a copy of the cloud's state, so that what was reachable in between can be computed afterwards.
 */
export class Recorder {
  #steps: Step[] = [];

  /** @param cloud gives the state of the cloud that is recorded */
  constructor(private readonly cloud: () => CloudState) {}

  readonly onMutation = (mutation: Mutation): void => {
    this.#steps.push({ ...mutation, cloud: withoutTasks(this.cloud()) });
  };

  /** The steps since the last call. */
  take(): readonly Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}

/** A copy without the tasks: they are most of the state, and nothing reachable depends on them. */
export function withoutTasks({ version, serial, resources }: CloudState): CloudState {
  return { version, serial, resources: structuredClone(resources), tasks: {} };
}
