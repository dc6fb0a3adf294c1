import { ConnectivityError } from '../codes/connectivity-error.js';

/** What a stack's provider block says, by the names of its attributes; the environment says the rest. */
export type ProviderBlock = Readonly<Record<string, unknown>>;

/** How the provider reaches the cloud, and as whom. */
export interface ProviderSettings {
  readonly region: string;
  /** Of the Cloud Control API. */
  readonly endpoint: URL;
  /** Of the service that gives out roles. */
  readonly stsEndpoint: URL;
  /** @default - as the environment's HTTPS_PROXY says */
  readonly proxy: string | undefined;
  /** A profile of the vendor's command line, and its file. */
  readonly profile: string | undefined;
  readonly profileFile: string | undefined;
  readonly assumeRole: { readonly trn: string; readonly durationSeconds: number } | undefined;
}

const ROLE_SECONDS = 3600;

/**
 * Reads what the provider reads, from the same places: its block first, then the environment.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readProviderSettings(
  block: ProviderBlock,
  env: NodeJS.ProcessEnv,
): ProviderSettings {
  const endpoints = block.endpoints as ProviderBlock | undefined;
  const role = block.assume_role as ProviderBlock | undefined;
  const pick = (value: unknown, variable: string) =>
    typeof value === 'string' && value !== '' ? value : env[variable] || undefined;
  const region = pick(block.region, 'VOLCENGINE_REGION');
  if (region === undefined) {
    throw new ConnectivityError(
      'usage.invalid',
      '`VOLCENGINE_REGION` must name the region where the provider block does not, got: nothing',
    );
  }
  const isPlain =
    block.disable_ssl === true || /^(1|t|true)$/i.test(env.VOLCENGINE_DISABLE_SSL ?? '');
  const url = (given: string | undefined, otherwise: string, variable: string) =>
    readEndpoint(given ?? otherwise, isPlain ? 'http' : 'https', variable);
  const trn = pick(role?.assume_role_trn, 'VOLCENGINE_ASSUME_ROLE_TRN');
  const seconds = Number(
    role?.duration_seconds ?? env.VOLCENGINE_ASSUME_ROLE_DURATION_SECONDS ?? ROLE_SECONDS,
  );
  return {
    region,
    endpoint: url(
      pick(endpoints?.cloudcontrolapi, 'VOLCENGINE_CC_ENDPOINT'),
      `cloudcontrol.${region}.volcengineapi.com`,
      'VOLCENGINE_CC_ENDPOINT',
    ),
    stsEndpoint: url(
      pick(endpoints?.sts, 'VOLCENGINE_STS_ENDPOINT'),
      'sts.volcengineapi.com',
      'VOLCENGINE_STS_ENDPOINT',
    ),
    proxy: pick(block.proxy_url, 'VOLCENGINE_PROXY_URL'),
    profile: pick(block.profile, 'VOLCENGINE_PROFILE'),
    profileFile: pick(block.file_path, 'VOLCENGINE_FILE_PATH'),
    assumeRole: trn === undefined ? undefined : { trn, durationSeconds: seconds },
  };
}

function readEndpoint(text: string, scheme: string, variable: string): URL {
  const url = URL.parse(text.includes('://') ? text : `${scheme}://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new ConnectivityError(
    'usage.invalid',
    `\`${variable}\` must be a host, or a URL with http or https, got: "${text}"`,
  );
}
