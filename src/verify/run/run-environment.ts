import { getServers } from 'node:dns';
import { release } from 'node:os';
import { packageVersion } from '../../package/package-folder.js';
import type { RunEnvironment } from '../model/verification.js';
import type { RunContext } from '../transport/run-context.js';

/** Files of authorities that Node.js or OpenSSL may be configured with; their paths are shown. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

type Variable = RunEnvironment['proxies'][number];

/** What support asks for first: with what, on what and with which settings of the system it ran. */
export function runEnvironment({ options, dnsServer, proxy }: RunContext): RunEnvironment {
  const { caFile } = options;
  const trust = TRUST.flatMap((name) => variable(name, process.env[name]));
  return {
    tool: `cdktf-secure-connectivity ${packageVersion()}`,
    node: process.version,
    openssl: process.versions.openssl,
    platform: `${process.platform} ${process.arch} ${release()}`,
    resolvers: dnsServer === undefined ? getServers() : [dnsServer],
    proxies: [
      ...variable('--proxy', proxy?.shown),
      ...Object.entries(options.environment ?? {}).flatMap(([name, value]) =>
        variable(name, value && shown(name, value)),
      ),
    ],
    trust: [...variable('--ca-file', caFile), ...trust],
  };
}

function variable(name: string, value = ''): Variable[] {
  return value === '' ? [] : [{ name, value }];
}

/** Only what is known to be no secret: of a URL its scheme, host and port. */
function shown(name: string, value: string): string {
  if (/^no_proxy$/i.test(name)) {
    return value.replace(/[^\s,]+/g, (entry) =>
      !/[@/]/.test(entry) || /^[\d.:a-f]+\/\d+$/i.test(entry) ? entry : '…',
    );
  }
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return 'no URL';
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
