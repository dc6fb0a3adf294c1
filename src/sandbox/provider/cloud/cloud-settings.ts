import { type Diagnostic, error } from '../diagnostic.js';
import { hasUnknown, isObject, type ObjectValue } from '../value.js';

/** Where the emulated cloud is and as whom it is called. */
export interface CloudSettings {
  /** Absent until something has to be asked: a plan on an empty state needs no cloud. */
  readonly endpoint?: string;
  readonly region: string;
  readonly accessKey: string;
}

/** Reads the provider block, with the environment filling in what it leaves out. */
export function cloudSettings(
  config: ObjectValue,
  environment: NodeJS.ProcessEnv,
): CloudSettings | Diagnostic[] {
  if (hasUnknown(config)) return [error('Unknown Value', 'An attribute value is not yet known')];
  const accessKey = text(config.access_key) ?? environment.VOLCENGINE_ACCESS_KEY ?? '';
  const secretKey = text(config.secret_key) ?? environment.VOLCENGINE_SECRET_KEY ?? '';
  const profile = text(config.profile) ?? environment.VOLCENGINE_PROFILE ?? '';
  const region = text(config.region) ?? environment.VOLCENGINE_REGION ?? '';
  const endpoints = isObject(config.endpoints) ? config.endpoints : {};
  const endpoint =
    text(endpoints.cloudcontrolapi) ?? (environment.VOLCENGINE_CC_ENDPOINT || undefined);
  const wrong: Diagnostic[] = [];
  if ((accessKey === '' || secretKey === '') && profile === '') {
    wrong.push(
      error(
        'Invalid Authentication Configuration',
        'Either (AccessKey and SecretKey) or Profile must be provided',
      ),
    );
  }
  if (region === '') wrong.push(error('Missing Region', 'Region must be set'));
  if (wrong.length > 0) return wrong;
  return { region, accessKey, ...(endpoint === undefined ? {} : { endpoint }) };
}

function text(value: ObjectValue[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The address of the emulated cloud.
 *
 * @throws Error when there is none, or when it is not plain HTTP on loopback: this provider must never
 * reach a real cloud
 */
export function loopbackUrl(endpoint: string | undefined): URL {
  if (endpoint === undefined) {
    throw new Error(
      '`VOLCENGINE_CC_ENDPOINT` must name the emulated cloud, got: nothing. Run this through `secure-connectivity sandbox`.',
    );
  }
  const url = URL.parse(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname)) {
    throw new Error(
      `\`VOLCENGINE_CC_ENDPOINT\` must be plain HTTP on loopback for the sandbox's provider, got: "${endpoint}". Use the genuine provider for a real cloud.`,
    );
  }
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
