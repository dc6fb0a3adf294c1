import { CloudError } from './cloud-error.js';
import type { CloudState, Mutation, Task } from './cloud-state.js';
import { newId } from './scope.js';

const MAX_TASKS = 1000;

export type TaskRequest = Pick<Task, 'operation' | 'typeName' | 'clientToken'> & {
  /** The identifier of what is worked on; a creation has none before. */
  readonly target?: string;
};

interface StartedTask {
  readonly taskId: string;
  /** Undefined where the same client has asked for the same task before. */
  readonly mutation?: Mutation;
}

/**
 * Does the work of a task at once and keeps its outcome for polls; a refusal is an outcome too.
 *
 * @param polls how many polls are left until the outcome is shown
 * @param work answers the identifier of what it worked on
 */
export function startTask(
  state: CloudState,
  { target, ...request }: TaskRequest,
  polls: number,
  work: () => string,
): StartedTask {
  const [same] = Object.entries(state.tasks).find(
    ([, { clientToken }]) => clientToken !== '' && clientToken === request.clientToken,
  ) ?? [undefined];
  if (same !== undefined) return { taskId: same };
  const taskId = newId(state, 'task');
  const outcome = settle(work, target);
  const eventTime = new Date().toISOString();
  state.tasks[taskId] = { ...request, eventTime, polls, ...outcome };
  for (const old of Object.keys(state.tasks).slice(0, -MAX_TASKS)) delete state.tasks[old];
  const { operation, typeName } = request;
  return { taskId, mutation: { operation, typeName, ...outcome } };
}

/** Counts a poll; the task is done when none are left. @throws CloudError */
export function pollTask(state: CloudState, taskId: string): Task {
  const task = state.tasks[taskId];
  if (!task) throw new CloudError('NotFound', `task ${taskId} does not exist`, 404);
  if (task.polls === 0) return task;
  const polled = { ...task, polls: task.polls - 1 };
  state.tasks[taskId] = polled;
  return polled;
}

function settle(
  work: () => string,
  target: string | undefined,
): Pick<Task, 'identifier' | 'error'> {
  try {
    return { identifier: work() };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const failure = { error: { code: error.code, message: error.message } };
    return target === undefined ? failure : { identifier: target, ...failure };
  }
}
