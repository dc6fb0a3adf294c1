import * as z from 'zod/mini';
import type { Plugin } from '../../../link/link.js';
import type { JwtClaims } from '../../../service/token/jwt.js';
import type { Credentials, RunOptions, SENT_OPTIONS, VerifiableLink } from '../../model/options.js';
import { progressSchema, verificationSchema } from '../../model/verification.js';
import type { KeyFacts } from '../../transport/signer.js';

// What this machine, which has the key, and the vantage point, where the check runs, tell each other,
// a line each.

/** The first word from the vantage point; its version of Node.js follows. */
export const HELLO = 'secure-connectivity-check';

/** The oldest Node.js on which the check runs: major and minor. */
export const OLDEST_NODE = [20, 19] as const;

/** The options of where the check runs. */
type FarOptions = Pick<
  RunOptions,
  (typeof SENT_OPTIONS)[number] | 'connectTo' | 'ownAddresses' | 'waitMs'
> & {
  /** IDs, none of them secret. */
  readonly credentials: Omit<Credentials, 'privateKey' | 'privateKeyFile'>;
};

/** A request to check links at a vantage point. */
export interface Order {
  readonly options: FarOptions;
  readonly links: readonly VerifiableLink[];
  readonly plugins: readonly Plugin[];
  /** Ends after the TLS handshake: nothing is sent, and no JWT is given. */
  readonly connectOnly?: true;
  /** PEM. */
  readonly authorities?: string | undefined;
  readonly keySource?: string | undefined;
}

/** A vantage point's request, answered with its content or a reason why not. */
export type Reply =
  | { readonly id: number; readonly jwt: string; readonly claims: JwtClaims }
  | ({ readonly id: number } & KeyFacts)
  | { readonly id: number; readonly code: string; readonly message: string };

const count = z.int().check(z.nonnegative());

/** Messages from a vantage point. */
export const farMessageSchema = z.discriminatedUnion('say', [
  /** The facts that are known of the key. */
  z.object({ say: z.literal('inspect'), id: count }),
  /** A JWT for one call to this API host; `at` where it is to be signed by another clock. */
  z.object({ say: z.literal('sign'), id: count, apiHost: z.string(), at: z.optional(z.number()) }),
  z.object({ say: z.literal('progress'), progress: progressSchema }),
  /** The check is still running. */
  z.object({ say: z.literal('alive') }),
  z.object({ say: z.literal('report'), verification: verificationSchema }),
  z.object({ say: z.literal('error'), code: z.string(), message: z.string() }),
]);

export type FarMessage = z.infer<typeof farMessageSchema>;

export const ALIVE_EVERY_MS = 5_000;
