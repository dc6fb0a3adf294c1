import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import type { Signer } from '../../transport/signer.js';
import type { FarMessage, Order, Reply } from './messages.js';

/** By how much another clock may ask to sign: a JWT for later would outlast the check. */
const MOST_SHIFT_MS = 10 * 60_000;

/** Gives a place what it needs of the key: as many JWTs as the check can use, for its hosts, for now. */
export class SigningDesk {
  readonly #hosts: ReadonlySet<string>;
  #left: number;

  constructor(
    { links, options: { waitMs = 0, settle = 1, retryDelayMs = 1_000 } }: Order,
    readonly signer: Signer,
  ) {
    this.#hosts = new Set(links.map(({ apiHost }) => apiHost));
    // An attempt has one, and its diagnosis another.
    this.#left = links.length * 2 * (2 + settle + Math.ceil((2 * waitMs) / retryDelayMs));
  }

  async serve(message: Extract<FarMessage, { say: 'inspect' | 'sign' }>): Promise<Reply> {
    const { id } = message;
    try {
      if (message.say === 'inspect') return { id, ...(await this.signer.inspect()) };
      const { apiHost, at } = message;
      this.#left -= 1;
      if (this.#left < 0) refuse('more JWTs than the check can use');
      if (!this.#hosts.has(apiHost)) refuse('a JWT for another host');
      if (at !== undefined && Math.abs(at - Date.now()) > MOST_SHIFT_MS) {
        refuse('a JWT for a time that is more than ten minutes off');
      }
      const { jwt, claims } = await this.signer.sign(apiHost, {}, at === undefined ? at : () => at);
      return { id, jwt: jwt.reveal(), claims };
    } catch (error) {
      const code = error instanceof ConnectivityError ? error.code : 'internal.bug';
      return { id, code, message: error instanceof Error ? safeText(error.message) : '' };
    }
  }
}

function refuse(what: string): never {
  throw new ConnectivityError('run.place-answer', `the place asks for ${what}`);
}
