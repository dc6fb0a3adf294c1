import { setMaxListeners } from 'node:events';
import { invalidOption } from '../../codes/connectivity-error.js';
import { refuseSecrets } from '../../codes/misplaced-secrets.js';
import { type LoadedKey, loadPrivateKey } from '../../service/token/load-private-key.js';
import { parseKeyAt, parsePrivateKey } from '../../service/token/signing-key.js';
import {
  type Credentials,
  KEY_TEXT,
  pipeWaitMs,
  type RunOptions,
  settingName,
} from '../model/options.js';
import { parseDnsServer, readOwnAddresses } from '../transport/addresses.js';
import { ConnectToRules, parseGivenAddresses } from '../transport/connect-to.js';
import { DialledHosts, type RunContext } from '../transport/context.js';
import { parseProxy } from '../transport/proxy/proxy.js';
import { createSigner, type Signer } from '../transport/signer.js';
import { lacksRoot, readCertificates, trusting, trustingDefaults } from '../transport/tls/trust.js';

/** Parts of a run that no option can say, for a run that begins on another machine. */
export interface GivenParts {
  /** @default one that signs with the key of the credentials */
  readonly signer?: Signer | undefined;
  /** PEM of authorities to trust besides the default ones. @default that of the option `caFile` */
  readonly authorities?: string | undefined;
  /** True ends after the TLS handshake. @default false */
  readonly connectOnly?: boolean | undefined;
}

/** Reads and checks what the run needs before its first packet. @throws ConnectivityError */
export async function prepareRun(options: RunOptions, given: GivenParts = {}): Promise<RunContext> {
  checkNumbers(options);
  refuseMisplaced(options);
  const { caFile, dnsServer, connectTo = [], compareResolvers = [] } = options;
  const name = (field: string) => settingName(options, field);
  const connectToRules = new ConnectToRules(connectTo, name('connectTo'));
  await connectToRules.read();
  const ownAddresses = await readOwnAddresses(options.ownAddresses ?? [], name('ownAddresses'));
  const own = given.authorities ?? (caFile && (await readCertificates(caFile, options)));
  const trusted = own ? await trusting(own, caFile ?? '', name('caFile')) : undefined;
  let key: Promise<LoadedKey> | undefined;
  return {
    options: { ...options, signal: signalForMany(options.signal) },
    connectToRules,
    connectOnly: given.connectOnly ?? false,
    dnsServer: dnsServer === undefined ? undefined : parseDnsServer(dnsServer, name('dnsServer')),
    compareResolvers: compareResolvers.map((text) =>
      text === 'system' ? text : parseDnsServer(text, name('compareResolvers')),
    ),
    ownAddresses,
    givenAddresses: parseGivenAddresses(options.resolve ?? [], name('resolve')),
    proxy: options.proxy === undefined ? undefined : parseProxy(options.proxy, name('proxy')),
    dialled: new DialledHosts(),
    secureContext: trusted === undefined ? trustingDefaults : () => trusted,
    rootless: own && lacksRoot(own) ? own : undefined,
    ownAuthority: trusted === undefined ? nodeAuthority() : name('caFile'),
    signer:
      given.signer ??
      createSigner(options, () => (key ??= loadKey(options.credentials ?? {}, options))),
  };
}

/** Finds what makes Node.js trust more than the roots that it comes with; undefined where nothing does. */
function nodeAuthority(): string | undefined {
  const { NODE_EXTRA_CA_CERTS: file = '', NODE_OPTIONS: more = '', ...others } = process.env;
  if (file !== '') return 'NODE_EXTRA_CA_CERTS';
  if (others.NODE_USE_SYSTEM_CA === '1') return 'NODE_USE_SYSTEM_CA';
  const flags = [...process.execArgv, ...more.split(/\s+/)];
  const { defines } = process.config.target_defaults;
  return (
    flags.find((flag) => /^--use[-_](system|openssl)[-_]ca$/.test(flag)) ??
    (defines.includes('NODE_OPENSSL_CERT_STORE') ? 'how Node.js was built' : undefined)
  );
}

/** All that is sent or shown; the text of the key has a field of its own. */
function refuseMisplaced(options: RunOptions): void {
  const credentials = { ...options.credentials, privateKey: undefined };
  const shown = {
    ...options,
    credentials,
    environment: undefined,
    tokens: undefined,
  };
  refuseSecrets(shown, (path) => {
    const [field = ''] = path.replace(/^credentials\./, '').split('.');
    return settingName(options, field);
  });
}

/** Each link of a run listens to it; the caller's own would warn of a leak at the eleventh. */
function signalForMany(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

/** A pipe may keep it waiting, but not past the time of the run. */
export async function loadKey(
  { privateKeyFile, privateKey = '' }: Credentials,
  { timeoutMs, names }: Pick<RunOptions, 'timeoutMs' | 'names'>,
): Promise<LoadedKey> {
  if (privateKeyFile !== undefined) {
    return loadPrivateKey(privateKeyFile, { timeoutMs: pipeWaitMs(timeoutMs) });
  }
  const variable = names?.[KEY_TEXT];
  return {
    key:
      variable === undefined
        ? parsePrivateKey(privateKey, '`privateKey`')
        : parseKeyAt({ variable }, privateKey, variable),
  };
}

function checkNumbers(options: RunOptions): void {
  const check = (field: NumberOption, rule: string, isRight: (value: number) => boolean) => {
    const value = options[field];
    if (value === undefined || isRight(value)) return;
    throw invalidOption(settingName(options, field), `be ${rule}, got: ${value}`);
  };
  for (const field of ['timeoutMs', 'retryDelayMs', 'concurrency'] as const) {
    check(field, 'above 0', (value) => value > 0);
  }
  check('settle', 'a whole number above 0', (value) => Number.isInteger(value) && value > 0);
  check('waitMs', '0 or more', (value) => value >= 0);
}

type NumberOption = 'timeoutMs' | 'retryDelayMs' | 'concurrency' | 'settle' | 'waitMs';
