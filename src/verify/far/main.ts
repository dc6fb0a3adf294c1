import { isCode } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { Secret } from '../../codes/secret.js';
import { proxyVariables } from '../model/options.js';
import { verifyHere } from '../run/verify-here.js';
import { ALIVE_EVERY_MS, type FarMessage, type Order, type Reply } from '../run/via/messages.js';
import type { KeyFacts, Signer } from '../transport/signer.js';

/**
 * The check as it runs at a vantage point: it is sent there on standard input, reads what to check
 * behind itself, asks for each JWT, and writes the report to standard output. Nothing is left there.
 *
 * @param lines of standard input behind the program
 */
export default async function main(lines: AsyncIterator<string>): Promise<never> {
  const { value, done } = await lines.next();
  if (done) process.exit(1);
  const order = JSON.parse(value) as Order;
  const alive = setInterval(() => say({ say: 'alive' }), ALIVE_EVERY_MS);
  const { options, links, plugins, authorities, connectOnly } = order;
  try {
    const verification = await verifyHere(
      {
        ...options,
        links,
        plugins,
        environment: proxyVariables(),
        onProgress: (progress) => say({ say: 'progress', progress }),
      },
      { signer: farSigner(order, new Conversation(lines)), authorities, connectOnly },
    );
    say({ say: 'report', verification });
  } catch (error) {
    const code = error instanceof ConnectivityError ? error.code : 'internal.bug';
    say({ say: 'error', code, message: safeText(String(error)) });
  }
  clearInterval(alive);
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(0);
}

function say(message: FarMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

type Request =
  | { readonly say: 'inspect' }
  | { readonly say: 'sign'; readonly apiHost: string; readonly at?: number };

/** Requests to where the key is, and the replies in whatever order they come. */
class Conversation {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #id = 0;

  constructor(lines: AsyncIterator<string>) {
    this.#listen(lines);
  }

  async ask(request: Request): Promise<Reply> {
    const id = this.#id++;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    say({ ...request, id });
    const reply = await answered;
    if (!('code' in reply)) return reply;
    throw new ConnectivityError(isCode(reply.code) ? reply.code : 'internal.bug', reply.message);
  }

  /** The end of the input means that nobody wants the check any more. */
  async #listen(lines: AsyncIterator<string>): Promise<void> {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) process.exit(1);
      const reply = JSON.parse(value) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    }
  }
}

function farSigner({ keySource }: Order, conversation: Conversation): Signer {
  let facts: Promise<KeyFacts> | undefined;
  return {
    source: keySource,
    inspect: () => {
      facts ??= conversation.ask({ say: 'inspect' }) as Promise<KeyFacts>;
      return facts;
    },
    sign: async (apiHost, _, now) => {
      const at = now?.();
      const reply = await conversation.ask({
        say: 'sign',
        apiHost,
        ...(at !== undefined && { at }),
      });
      if (!('jwt' in reply)) throw new ConnectivityError('internal.bug', 'a reply without a JWT');
      return { jwt: new Secret(reply.jwt), claims: reply.claims };
    },
  };
}
