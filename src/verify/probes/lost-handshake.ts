import { isIP } from 'node:net';
import { HELLO_NAMES, LOST, sayHello } from '../transport/tls/hello-size.js';
import { addressesFailedWith, type Probe, type ProbeContext, probed } from './probe.js';
import { tryTls } from './try-route.js';

/** What a handshake can end with for the sake of the name. */
const NAMED = ['tls.reset', 'tls.timeout', 'tls.alert', 'tls.name-mismatch', 'tls.failed'];

/** Another server name in TLS, or none. Each name that is sent is also the one that is verified. */
export const serverNames: Probe = {
  applies: (context) => addressesFailedWith(context, ...NAMED).length > 0,
  run: async (context) => {
    const [address = ''] = addressesFailedWith(context, ...NAMED);
    const others = otherNames(context).map((name) =>
      probed('server-name', name, () => tryTls({ ...context, tlsServerName: name }, address)),
    );
    const none = probed('server-name', 'none', () =>
      tryTls({ ...context, sendsServerName: false }, address),
    );
    return await Promise.all([...others, none]);
  },
};

function otherNames({ link, host, tlsServerName }: ProbeContext): string[] {
  const names = new Set([link.apiHost, host, link.tlsServerName ?? host]);
  return [...names].filter((name) => name !== tlsServerName && isIP(name) === 0);
}

/** A small ClientHello and, twice, a large one: some firewalls read no more than its first packet. */
export const helloSize: Probe = {
  applies: (context) => addressesFailedWith(context, ...LOST).length > 0,
  run: async (context) => {
    const [address = ''] = addressesFailedWith(context, ...LOST);
    return await Promise.all(
      HELLO_NAMES.map((name) => probed('hello-size', name, () => sayHello(context, address, name))),
    );
  },
};
