import { redactAll } from '../../../codes/redact.js';
import { pace } from '../../../service/open-files.js';
import { type LinkRecord, linkRecord } from '../../model/link-record.js';
import type { RunOptions } from '../../model/options.js';
import type { RunContext } from '../../transport/run-context.js';
import { checkLink, loadParts } from '../check-link.js';
import { affordable } from '../open-files.js';
import { loadKey, prepareRun } from '../prepare-run.js';
import { KeyCache } from './key-cache.js';
import { Tally } from './tally.js';
import type { Target } from './target.js';

const TARGETS_AT_ONCE = 16;

export interface ManyOptions extends RunOptions {
  /** Taken one by one, as there is room for them. */
  readonly targets: AsyncIterable<Target>;
  /** Takes a result; while it is busy, no further target is taken up in its place. */
  readonly onResult: (record: LinkRecord) => Promise<void> | void;
}

/**
 * Checks any number of links in bounded memory: a result is handed over and forgotten. Times are for
 * each link by itself. Interrupted, it ends what has begun and takes up nothing more.
 *
 * @param options `concurrency` is 16 where it is not given
 * @throws ConnectivityError `usage.invalid`; whatever reading the targets or taking a result throws,
 *   after the links that have begun are done
 */
export async function verifyMany({ targets, onResult, ...options }: ManyOptions): Promise<Tally> {
  const run = await prepareRun(options);
  await loadParts(options);
  const keys = new KeyCache((credentials) => loadKey(credentials, options));
  const tally = new Tally();
  const source = targets[Symbol.asyncIterator]();
  let isEnded = false;
  const work = async () => {
    while (!isEnded && !options.signal?.aborted) {
      const { value, done } = await source.next();
      if (done) break;
      const startedAt = new Date().toISOString();
      const own = runFor(run, keys, value);
      const { result } = await pace.run(() => checkLink(own, value.link, performance.now()));
      tally.add(result);
      await onResult(redactAll(linkRecord(startedAt, result)));
    }
  };
  const workers = Array.from({ length: affordable(options.concurrency ?? TARGETS_AT_ONCE) }, () =>
    work().finally(() => {
      isEnded = true;
    }),
  );
  const ends = await Promise.allSettled(workers);
  await source.return?.();
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return tally;
}

function runFor(run: RunContext, keys: KeyCache, { credentials }: Target): RunContext {
  const merged = { ...run.options.credentials, ...credentials };
  return {
    ...run,
    options: { ...run.options, credentials: merged },
    key: () => keys.get(merged),
  };
}
