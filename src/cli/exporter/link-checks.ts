import { withTimeout } from '../../service/http/limits.js';
import { timerMs, watchForPause } from '../../service/http/time-limit.js';
import { SingleFlight } from '../../service/single-flight.js';
import { TokenCache } from '../../service/token/token-cache.js';
import {
  type Credentials,
  RUN_TIMEOUT_MS,
  type RunOptions,
  type VerifiableLink,
} from '../../verify/model/options.js';
import type { Verification } from '../../verify/model/verification.js';
import { verify } from '../../verify/run/verify.js';
import { affordable, createLimiter, type Limiter } from '../../verify/transport/limiter.js';

const LINKS_AT_ONCE = 16;
const TIMEOUT_OFFSET_MS = 500;

/** A check that waits longer than this part of its time for its turn would say more of us than of the link. */
const MAX_QUEUE = 0.5;

/** No place was free in time. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

const STOPPING = new Busy('the exporter is stopping');

/** The time of the scrape is over, and this process stood still for a part of it. */
export class Paused extends Error {
  override readonly name = 'Paused';
}

/** A link that can be probed by its name, with whatever is its own of the credentials. */
export interface ProbedLink {
  readonly link: VerifiableLink;
  readonly credentials: Credentials;
}

interface LinkChecksOptions extends RunOptions {
  /** Milliseconds by which a check ends before the scrape timeout. @default 500 */
  readonly timeoutOffsetMs?: number | undefined;
}

interface Probed extends ProbedLink {
  readonly flight: SingleFlight<Verification>;
}

/** The checks of links by name: one at a time for each link, so many at a time for all, tokens kept. */
export class LinkChecks {
  /** Begun and not ended. */
  running = 0;
  /** Ended. */
  done = 0;
  readonly #links: ReadonlyMap<string, Probed>;
  readonly #options: LinkChecksOptions;
  readonly #place: Limiter;
  readonly #onResult: (verification: Verification) => void;
  readonly #stop = new AbortController();
  /** The controllers that end the wait for each answer. */
  readonly #answers = new Set<AbortController>();

  /** @param onResult is called with each result, once, however many wait for it */
  constructor(
    links: readonly ProbedLink[],
    options: LinkChecksOptions,
    onResult: (verification: Verification) => void,
  ) {
    this.#links = new Map(
      links.map((one) => [one.link.name, { ...one, flight: new SingleFlight() }]),
    );
    // Metrics carry no diagnosis, so a failure is not looked into.
    this.#options = { ...options, probes: false, tokens: new TokenCache() };
    this.#place = createLimiter(affordable(options.concurrency ?? LINKS_AT_ONCE));
    this.#onResult = onResult;
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Lets the checks that are in progress end, and begins no other. */
  stop(): void {
    this.#stop.abort(STOPPING);
  }

  /** Ends the checks that are in progress: their links have no result. */
  cut(): void {
    for (const answer of this.#answers) answer.abort(STOPPING);
  }

  get names(): readonly string[] {
    return [...this.#links.keys()];
  }

  /**
   * Checks a link, or waits for the check of it that is under way.
   *
   * @param signal ends when no one waits for this answer any more
   * @param scrapeMs milliseconds after which the one who asks gives up
   * @returns undefined where no link has the name
   * @throws Busy, Paused, TimedOut, the reason of the signal; ConnectivityError `usage.invalid` where a file
   *   that the options name has become unusable
   */
  async check(
    name: string,
    signal: AbortSignal,
    scrapeMs = Number.POSITIVE_INFINITY,
  ): Promise<Verification | undefined> {
    const probed = this.#links.get(name);
    if (probed === undefined) return undefined;
    const { timeoutMs = RUN_TIMEOUT_MS, timeoutOffsetMs = TIMEOUT_OFFSET_MS } = this.#options;
    // Of a very short time, half is left for the check.
    const checkMs = Math.min(timeoutMs, Math.max(scrapeMs - timeoutOffsetMs, scrapeMs / 2));
    const own = new AbortController();
    this.#answers.add(own);
    const call = { signal: AbortSignal.any([signal, own.signal]), timeoutMs: scrapeMs };
    const endWatch = watchForPause();
    const spareMs = (scrapeMs - checkMs) / 2;
    const giveUp = () => {
      if (endWatch()) own.abort(new Paused('this process stood still during the check'));
    };
    const timer = setTimeout(giveUp, timerMs(checkMs + spareMs));
    try {
      return await probed.flight.join((ended) => this.#inTurn(probed, checkMs, ended), call);
    } finally {
      clearTimeout(timer);
      endWatch();
      this.#answers.delete(own);
    }
  }

  async #inTurn(probed: Probed, checkMs: number, signal: AbortSignal): Promise<Verification> {
    const end = performance.now() + checkMs;
    const release = await withTimeout(Number.POSITIVE_INFINITY, this.#stop.signal, this.#place);
    this.running += 1;
    try {
      signal.throwIfAborted();
      const leftMs = end - performance.now();
      if (leftMs < checkMs * (1 - MAX_QUEUE)) throw new Busy('too many checks are in progress');
      const { link, credentials } = probed;
      const verification = await verify({
        ...this.#options,
        credentials: { ...this.#options.credentials, ...credentials },
        links: [link],
        timeoutMs: leftMs,
        signal,
      });
      this.done += 1;
      if (!signal.aborted) this.#onResult(verification);
      return verification;
    } finally {
      this.running -= 1;
      release();
    }
  }
}
