import { type RunOptions, settingName, type VerifyOptions } from '../../model/options.js';
import { readListed } from '../../transport/listed-texts.js';
import type { RunContext } from '../../transport/run-context.js';
import { readCertificates } from '../prepare-run.js';
import type { FarOptions, Order } from './messages.js';

/** What is sent as it is. Not sent: the key, what names files here, and what is done with the report. */
const SENT = [
  'auth',
  'useServerTime',
  'dnsServer',
  'resolve',
  'tlsServerName',
  'family',
  'proxy',
  'compareResolvers',
  'probes',
  'newerClients',
  'timeoutMs',
  'retryDelayMs',
  'settle',
  'chat',
  'concurrency',
  'settings',
  'names',
] as const satisfies readonly (keyof RunOptions & keyof FarOptions)[];

/** What every place is asked; files are read here. @throws ConnectivityError `usage.invalid` */
export async function placeOrder(options: VerifyOptions, { signer }: RunContext): Promise<Order> {
  const { links, plugins = [], caFile, connectTo, ownAddresses } = options;
  const { privateKey: _, privateKeyFile: __, ...credentials } = options.credentials ?? {};
  const listed = async (field: 'connectTo' | 'ownAddresses', texts: readonly string[]) =>
    (await Promise.all(texts.map((text) => readListed(settingName(options, field), text)))).flat();
  return {
    options: {
      ...Object.fromEntries(SENT.map((name) => [name, options[name]])),
      ...(connectTo && { connectTo: await listed('connectTo', connectTo) }),
      ...(ownAddresses && { ownAddresses: await listed('ownAddresses', ownAddresses) }),
      credentials,
    },
    links,
    plugins,
    keySource: signer.source,
    ...(caFile !== undefined && {
      authorities: await readCertificates(caFile, options),
    }),
  };
}
