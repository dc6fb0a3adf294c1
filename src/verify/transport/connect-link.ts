import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  connectService,
  type ServiceConnection,
} from '../../service/http/connection.js';
import { withStop } from '../../service/http/limits.js';
import type { LinkContext } from './context.js';
import { type Secured, secure } from './tls/secure.js';

/**
 * The connection over which a check calls what is at the end of a link, with the options of the run:
 * every call of stages and probes goes through here.
 *
 * @param open gives the socket, dialled and secured, each time one is needed
 */
export function connectLink(
  { link }: LinkContext,
  open: () => Promise<Socket>,
  options: Pick<ConnectionOptions, 'anonymous'> = {},
): ServiceConnection {
  return connectService(link.baseUrl, { ...options, open });
}

/**
 * Secures a socket within the time of the first of so many steps; over plain http there is nothing to
 * secure.
 *
 * @param over what TLS is spoken over, made of the socket; the socket itself where not given
 * @throws as {@link secure}; TimedOut
 */
export async function secureLink(
  context: LinkContext,
  socket: Socket,
  steps: number,
  over: (socket: Socket) => Duplex = (plain) => plain,
): Promise<Secured> {
  if (context.isPlain) return { socket, evidence: {}, helloBytes: 0, objection: () => undefined };
  return await withStop(context.budgetMs(steps), context.signal, (signal) =>
    secure(context, over(socket), signal),
  );
}
