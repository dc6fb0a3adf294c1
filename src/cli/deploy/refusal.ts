import { NOT_FOUND, REFUSED_NOW, SERVER_ERROR } from '../../cloud-control/refused-now.js';

/** The reason why an apply failed, where a new one may not. */
export interface Refusal {
  /** The cloud's word for it. */
  readonly word: string;
  /** Something may have been made all the same, and not be in the state: only a conflict and what is absent make nothing. */
  readonly mayBeDone: boolean;
  /** Something was not there, or not to be seen yet. */
  readonly isAbsent: boolean;
}

const KINDS = [REFUSED_NOW, SERVER_ERROR, NOT_FOUND];

/** Returns why the cloud refused everything that failed; undefined where something failed otherwise. */
export function refusedNow(stderr: string): Refusal | undefined {
  const [, ...errors] = stderr.split(/^[\s│]*Error: /m);
  const words = errors.flatMap((error) => wordOf(error) ?? []);
  const [word] = words;
  if (word === undefined || words.length < errors.length) return undefined;
  const isAbsent = words.some((one) => NOT_FOUND.test(one));
  return { word, mayBeDone: !words.every(makesNothing), isAbsent };
}

/** A check that fails prints texts of others, and is no refusal of the cloud. */
function wordOf(error: string): string | undefined {
  if (error.startsWith('local-exec')) return undefined;
  return KINDS.flatMap((kind) => kind.exec(error)?.[1] ?? [])[0];
}

/** Tells whether nothing can have been made: what is throttled may be the question how a task ended. */
function makesNothing(word: string): boolean {
  return word === 'InvalidOperation.Conflict' || NOT_FOUND.test(word);
}
