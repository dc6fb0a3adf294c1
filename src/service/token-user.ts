import { ConnectivityError } from '../codes/connectivity-error.js';
import { present } from './present.js';
import type { Secret } from './secret.js';
import type { CallOptions } from './service-request.js';
import type { AccessToken } from './token.js';
import type { TokenSource } from './token-source.js';

/** Does what needs a token with one of a source. */
export interface TokenUser {
  call<T>(times: CallOptions | undefined, work: (token: Secret) => Promise<T>): Promise<T>;
  /** Once the first item is there, nothing is begun again. */
  stream<T>(
    times: CallOptions | undefined,
    begin: (token: Secret) => AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined>;
}

/** A token that has worked and is rejected now has ended early: then, and only then, it is replaced. */
export function tokenUser(tokens: TokenSource): TokenUser {
  const proven = new WeakSet<AccessToken>();
  const use = async <T>(
    times: CallOptions | undefined,
    work: (token: AccessToken) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const token = await tokens.token(timesOf(times));
      try {
        const result = await work(token);
        proven.add(token);
        return result;
      } catch (error) {
        if (!isRejection(error)) throw error;
        tokens.discard(token);
        if (!proven.has(token)) throw error;
      }
    }
  };
  return {
    call: (times, work) => use(times, ({ value }) => work(value)),
    stream: async function* (times, begin) {
      const { token, items, first } = await use(times, async (token) => {
        const items = begin(token.value);
        return { token, items, first: await items.next() };
      });
      try {
        if (first.done) return;
        yield first.value;
        yield* items;
      } catch (error) {
        if (isRejection(error)) tokens.discard(token);
        throw error;
      } finally {
        await items.return();
      }
    },
  };
}

function isRejection(error: unknown): boolean {
  return error instanceof ConnectivityError && error.code === 'api.token-rejected';
}

function timesOf({ signal, timeoutMs }: CallOptions = {}): CallOptions {
  return present({ signal, timeoutMs });
}
