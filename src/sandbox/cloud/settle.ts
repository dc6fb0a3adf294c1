import { CloudError } from './cloud-error.js';
import type { Task } from './cloud-state.js';

/**
 * Does the work of a task and answers its outcome; a refusal is an outcome too.
 *
 * @param work answers the identifier of what it worked on
 * @param target the identifier where it is known before
 */
export function settle(
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
