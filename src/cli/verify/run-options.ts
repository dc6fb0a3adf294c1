import type { RunOptions } from '../../verify/options.js';
import { chatOptions } from './chat-options.js';
import type { Flags } from './flags.js';
import { KEY_VARIABLE } from './setting-sources.js';

/** How to check, as the flags say it. @param names what errors call the options */
export function runOptions(flags: Flags, names: Readonly<Record<string, string>>): RunOptions {
  const { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName } = flags;
  const credentials = { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName };
  return {
    credentials: { ...credentials, privateKey: process.env[KEY_VARIABLE] },
    auth: flags.auth,
    useServerTime: flags.useServerTime,
    dnsServer: flags.dnsServer,
    connectTo: flags.connectTo,
    resolve: flags.resolve,
    tlsServerName: flags.tlsServerName,
    family: flags.family,
    proxy: flags.proxy,
    compareResolvers: flags.compareResolver,
    ownAddresses: flags.ownAddress,
    environment: proxyVariables(),
    probes: flags.probes,
    settle: flags.settle,
    chat: chatOptions(flags),
    caFile: flags.caFile,
    timeoutMs: flags.timeout,
    waitMs: flags.wait,
    concurrency: flags.concurrency,
    names,
  };
}

/** The rest of the environment is nobody's business. */
function proxyVariables(): Record<string, string | undefined> {
  const found = Object.entries(process.env).filter(([name]) =>
    /^(https?|all|no)_proxy$/i.test(name),
  );
  return Object.fromEntries(found);
}
