import { ConnectivityError } from '../../codes/connectivity-error.js';
import { parseBaseUrl } from '../../service/http/base-url.js';
import { checkApiHost } from '../../service/token/jwt.js';
import { KEY_VARIABLE } from '../verify/flags/credentials.js';
import type { TokenFlags } from './flags.js';

export interface NeededSettings {
  readonly url: URL;
  readonly apiHost: string;
  readonly enterpriseId: string;
  readonly appId: string;
  readonly keyId: string;
}

/** What has no default. @throws ConnectivityError naming every flag that is missing */
export function neededSettings(flags: TokenFlags): NeededSettings {
  const { baseUrl = '', apiHost = '', enterpriseId = '', appId = '', keyId = '' } = flags;
  const given = [
    ['--base-url', baseUrl],
    ['--api-host', apiHost],
    ['--enterprise-id', enterpriseId],
    ['--app-id', appId],
    ['--key-id', keyId],
    ['--private-key-file', flags.privateKeyFile ?? process.env[KEY_VARIABLE] ?? ''],
  ] as const;
  const missing = given.filter(([, value]) => value === '').map(([flag]) => `\`${flag}\``);
  if (missing.length > 0) {
    throw new ConnectivityError(
      'credentials.missing',
      `${missing.join(', ')} must be given, by flag or by variable, got: nothing`,
    );
  }
  const url = parseBaseUrl(baseUrl, flags.allowPlainHttp ?? false, {
    baseUrl: '--base-url',
    allowPlainHttp: '--allow-plain-http',
  });
  checkApiHost(apiHost, '--api-host');
  return { url, apiHost, enterpriseId, appId, keyId };
}
