import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { timerMs } from '../../service/http/time-limit.js';
import type { VerifyOptions } from '../../verify/model/options.js';
import type { IntentResult } from '../../verify/model/results.js';
import { verify } from '../../verify/run/verify.js';

/**
 * Tries intents at an interval of their own, apart from the checks of links: a closed door takes as long as
 * silence is waited for, which no scrape lasts.
 */
export class IntentTrials {
  /** Those of the last trial. */
  results: readonly IntentResult[] = [];
  /** Its end, or where there was none the beginning of this program: seconds since the epoch. */
  triedAt = Date.now() / 1_000;
  #said = '';

  constructor(
    private readonly options: VerifyOptions,
    private readonly everyMs: number,
  ) {}

  get everySeconds(): number {
    return this.everyMs / 1_000;
  }

  /** Tries them until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#tryOnce(signal);
      await sleep(timerMs(this.everyMs), undefined, { signal }).catch(() => undefined);
    }
  }

  async #tryOnce(signal: AbortSignal): Promise<void> {
    try {
      // No credential is needed to see which doors are open.
      const own = { auth: false, probes: false, waitMs: 0, signal };
      const { intents = [] } = await verify({ ...this.options, ...own });
      if (signal.aborted) return;
      this.results = intents;
      this.triedAt = Date.now() / 1_000;
      const failed = intents.filter(({ code }) => code !== undefined);
      this.#say(failed.map(({ name, result, seen }) => `"${name}": ${result}: ${seen}`));
    } catch (error) {
      if (!(error instanceof ConnectivityError)) throw error;
      this.results = [];
      this.#say([`no intent could be tried: ${error.message}`]);
    }
  }

  /** Says what is new, and not each time that it is seen. */
  #say(lines: readonly string[]): void {
    const text = lines.map((line) => `exporter: ${line}\n`).join('');
    if (text !== this.#said) process.stderr.write(text || 'exporter: no intent fails any more\n');
    this.#said = text;
  }
}
