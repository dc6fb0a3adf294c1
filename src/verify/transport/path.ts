import type { Socket } from 'node:net';
import type { ServiceConnection, ServiceResponse } from '../../service/http/message.js';
import type { JwtClaims } from '../../service/token/jwt.js';
import type { LooseEvidence } from '../model/findings.js';

/** The result of one step on a path. */
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
  /**
   * Returns the server's objection after the handshake had ended on this side, as TLS 1.3 allows.
   */
  readonly objection: () => Error | undefined;
}

/** The first answer on a path: to the token call where the path carries it, else to a call without credential. */
export interface Answer {
  readonly response: ServiceResponse;
  /** The claims of the JWT that the token call carried. */
  readonly claims?: JwtClaims;
}

/** A dial, and how many milliseconds of it this process could open no connection, or was busy. */
export type Dialled = Step<Socket> & { readonly ownMs: number };

/**
 * The way to one address. All paths of a link start together and proceed independently, so that a dead
 * address holds up no other; the stages wait for their step and judge it. A step is undefined where
 * the one before it failed.
 */
export interface Path {
  readonly address: string;
  readonly connection: ServiceConnection;
  /** Opens one more connection to the address, for its user to close. */
  readonly openAnother: () => ServiceConnection;
  readonly tcp: Promise<Dialled>;
  /** Gives evidence of the handshake; passes at once over plain http. */
  readonly tls: Promise<Step<Handshake> | undefined>;
  readonly answer: Promise<Step<Answer> | undefined>;
  readonly close: () => Promise<void>;
}
