import { EXIT } from '../../../codes/codes.js';
import { usageError } from '../../../codes/connectivity-error.js';
import { redactAll } from '../../../codes/redact.js';
import type { LoadedKey } from '../../../service/token/load-private-key.js';
import { firstFailure } from '../../model/findings.js';
import { type Credentials, type RunOptions, settingName } from '../../model/options.js';
import type { LinkRecord } from '../../model/results.js';
import { exitOf } from '../../model/verdict.js';
import type { LinkResult } from '../../model/verification.js';
import { LINK_RECORD_SCHEMA, VERDICTS, type Verdict } from '../../model/verification-names.js';
import type { RunContext } from '../../transport/context.js';
import { affordable } from '../../transport/limiter.js';
import { createSigner } from '../../transport/signer.js';
import { checkLink, loadDiagnosis } from '../check-link.js';
import { loadKey, prepareRun } from '../prepare-run.js';
import type { Target } from './targets.js';

const TARGETS_AT_ONCE = 16;

export interface ManyOptions extends Omit<RunOptions, 'runVia'> {
  /** Read one by one, as capacity allows. */
  readonly targets: AsyncIterable<Target>;
  /** Receives a result; while it is busy, no further target is started in its place. */
  readonly onResult: (record: LinkRecord) => Promise<void> | void;
}

/**
 * Checks any number of links in bounded memory: a result is passed on and forgotten. Time limits
 * apply to each link separately. When interrupted, it ends the checks in progress and starts no new
 * ones.
 *
 * @param options `concurrency` is 16 where it is not given
 * @throws ConnectivityError `usage.invalid`; whatever reading the targets or taking a result
 * throws, after the links that have begun are done
 */
export async function verifyMany({ targets, onResult, ...options }: ManyOptions): Promise<Tally> {
  refuseRunVia(options);
  const load = cachingKeys((credentials) => loadKey(credentials, options));
  const run = await prepareRun(options, {
    signer: createSigner(options, () => load(options.credentials ?? {})),
  });
  await loadDiagnosis();
  const tally = new Tally();
  const source = targets[Symbol.asyncIterator]();
  let isEnded = false;
  const work = async () => {
    while (!isEnded && !options.signal?.aborted) {
      const { value, done } = await source.next();
      if (done) break;
      const startedAt = new Date().toISOString();
      const own = runFor(run, load, value);
      const { result } = await checkLink(own, value.link, performance.now());
      tally.add(result);
      await onResult({ schema: LINK_RECORD_SCHEMA, startedAt, ...redactAll(result) });
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

/** Plain JavaScript can pass it, and must not mistake this machine's results for a vantage point's. */
function refuseRunVia(options: RunOptions): void {
  if (options.runVia === undefined) return;
  const [targets, runVia] = ['targets', 'runVia'].map((field) => settingName(options, field));
  throw usageError(
    `\`${targets}\` cannot be used with \`${runVia}\`: check the targets at the vantage point itself`,
  );
}

function runFor(run: RunContext, load: LoadKey, { credentials }: Target): RunContext {
  if (Object.keys(credentials).length === 0) return run;
  const merged = { ...run.options.credentials, ...credentials };
  return {
    ...run,
    options: { ...run.options, credentials: merged },
    signer: createSigner({ ...run.options, credentials: merged }, () => load(merged)),
  };
}

type LoadKey = (credentials: Credentials) => Promise<LoadedKey>;

const MAX_KEYS = 256;

/** Loads each private key once, as long as it is among the latest in use. */
function cachingKeys(load: LoadKey): LoadKey {
  const keys = new Map<string, Promise<LoadedKey>>();
  return (credentials) => {
    const { privateKeyFile, privateKey } = credentials;
    const name = privateKeyFile === undefined ? `text ${privateKey}` : `file ${privateKeyFile}`;
    const key = keys.get(name) ?? load(credentials);
    // A map keeps the order of insertion: the first is the one that was not used for longest.
    keys.delete(name);
    keys.set(name, key);
    if (keys.size > MAX_KEYS) {
      const [oldest = ''] = keys.keys();
      keys.delete(oldest);
    }
    return key;
  };
}

/** Totals of many results: only numbers, however many there are. */
export class Tally {
  checked = 0;
  readonly verdicts: Record<Verdict, number> = {
    reachable: 0,
    'not-authorized': 0,
    unreachable: 0,
    incomplete: 0,
  };
  /** Links by the first code that they failed with. */
  readonly codes = new Map<string, number>();
  /** The exit statuses of the links, each by itself; a warning has one too. */
  readonly #exits = new Set<number>();

  add(result: LinkResult): void {
    this.checked += 1;
    this.verdicts[result.verdict] += 1;
    const code = firstFailure(result.stages)?.code;
    if (code !== undefined) this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    this.#exits.add(exitOf({ links: [result] }, { strict: true }));
  }

  /** Returns the exit status as for one report: the lowest of all failures, 130 when the run was interrupted. */
  exit({ strict = false }: { readonly strict?: boolean } = {}): number {
    const { interrupted, strictWarning } = EXIT;
    if (this.#exits.has(interrupted)) return interrupted;
    const failures = [...this.#exits].filter((exit) => exit !== 0 && exit !== strictWarning);
    if (failures.length > 0) return Math.min(...failures);
    return strict && this.#exits.has(strictWarning) ? strictWarning : 0;
  }

  /** The end of a long run in a few lines, the commonest code first. */
  summary(total?: number): string {
    const verdicts = VERDICTS.filter((verdict) => this.verdicts[verdict] > 0);
    const counts = verdicts.map((verdict) => `${this.verdicts[verdict]} ${verdict}`).join(', ');
    const of = total === undefined ? '' : ` of ${total}`;
    const codes = [...this.codes]
      .sort(([, a], [, b]) => b - a)
      .map(
        ([code, count]) => `  ${String(count).padStart(String(this.checked).length)}  ${code}\n`,
      );
    return `${this.checked}${of} links checked${counts && `: ${counts}`}\n${codes.join('')}`;
  }
}
