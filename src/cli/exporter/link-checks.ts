import { SingleFlight } from '../../service/single-flight.js';
import { TokenCache } from '../../service/token/access-token.js';
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
const LONGEST_QUEUE = 0.5;

/** No place was free in time. */
export class Busy extends Error {
  override readonly name = 'Busy';
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

  get names(): readonly string[] {
    return [...this.#links.keys()];
  }

  /**
   * Checks a link, or waits for the check of it that is under way.
   *
   * @param signal ends when no one waits for this answer any more
   * @param scrapeMs milliseconds after which the one who asks gives up
   * @returns undefined where no link has the name
   * @throws Busy, TimedOut, the reason of the signal; ConnectivityError `usage.invalid` where a file
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
    const call = { signal, timeoutMs: scrapeMs };
    return await probed.flight.join((ended) => this.#inTurn(probed, checkMs, ended), call);
  }

  async #inTurn(probed: Probed, checkMs: number, signal: AbortSignal): Promise<Verification> {
    const end = performance.now() + checkMs;
    const release = await this.#place();
    this.running += 1;
    try {
      signal.throwIfAborted();
      const leftMs = end - performance.now();
      if (leftMs < checkMs * (1 - LONGEST_QUEUE)) throw new Busy('too many checks are in progress');
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
