import type { Socket } from 'node:net';
import type { ServiceConnection } from '../../service/http/connection.js';
import type { ServiceResponse } from '../../service/http/message.js';
import type { JwtClaims } from '../../service/token/jwt.js';
import type { LooseEvidence } from '../model/findings.js';

/** How one step on a path went. */
export type Step<T> = {
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly elapsedMs: number;
} & ({ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown });

/** Does a step, measures it, and keeps its error as a value. */
export async function step<T>(work: () => Promise<T>): Promise<Step<T>> {
  const startedAt = performance.now();
  try {
    const value = await work();
    return { ok: true, value, startedAt, elapsedMs: performance.now() - startedAt };
  } catch (error) {
    return { ok: false, error, startedAt, elapsedMs: performance.now() - startedAt };
  }
}

export interface Handshake {
  readonly evidence: LooseEvidence;
  /** Of the ClientHello; 0 over plain http. */
  readonly helloBytes: number;
  /** What the server objected to after the handshake had ended on this side, as TLS 1.3 allows. */
  readonly objection: () => Error | undefined;
}

/** The first answer on a path: to the token call where the path carries it, else to a call without credential. */
export interface Answer {
  readonly response: ServiceResponse;
  /** The claims of the JWT that the token call carried. */
  readonly claims?: JwtClaims;
}

/** A dial, and by how many milliseconds this process itself was late meanwhile. */
export type Dialled = Step<Socket> & { readonly ownDelayMs: number };

/**
 * The way to one address. All paths of a link start together and proceed independently, so that a dead
 * address holds up no other; the stages wait for their step and judge it. A step is undefined where
 * the one before it failed.
 */
export interface Path {
  readonly address: string;
  readonly connection: ServiceConnection;
  readonly tcp: Promise<Dialled>;
  /** Gives evidence of the handshake; passes at once over plain http. */
  readonly tls: Promise<Step<Handshake> | undefined>;
  readonly answer: Promise<Step<Answer> | undefined>;
  readonly close: () => Promise<void>;
}

const STEP_MS = 10;

/**
 * How long this process itself was late, because it was busy or the machine was: what it measures of
 * others is longer by as much.
 */
class LoopDelay {
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #lateMs = 0;
  #watchers = 0;

  /** @returns ends the watch and returns the milliseconds of delay since it began */
  watch(): () => number {
    if (this.#watchers === 0) this.#schedule();
    this.#watchers += 1;
    const before = this.#lateMs;
    return () => {
      const lateMs = this.#lateMs + this.#pendingMs() - before;
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
      return lateMs;
    };
  }

  #schedule(): void {
    this.#dueAt = performance.now() + STEP_MS;
    this.#timer = setTimeout(() => {
      this.#lateMs += this.#pendingMs();
      this.#schedule();
    }, STEP_MS).unref();
  }

  #pendingMs(): number {
    return Math.max(0, performance.now() - this.#dueAt);
  }
}

/** One for the process: it has one event loop. */
export const loopDelay = new LoopDelay();
