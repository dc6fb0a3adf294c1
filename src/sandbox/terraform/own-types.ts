import { CLOUD_PROVIDER } from '../../cloud/table/index.js';

/** The providers that a sandbox serves, by the name that stacks call them. */
const SOURCES: Readonly<Record<string, string>> = {
  [CLOUD_PROVIDER.name]: CLOUD_PROVIDER.source,
  null: 'hashicorp/null',
};

/**
 * Reports whether a provider is one that the sandbox serves.
 *
 * @param source undefined where a stack leaves it out
 */
export function isOwnProvider(name: string, source: string | undefined): boolean {
  if (!Object.hasOwn(SOURCES, name)) return false;
  const plain = source?.replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, '');
  // A source of one word is a provider of HashiCorp's.
  const whole = plain?.includes('/') === false ? `hashicorp/${plain}` : plain;
  return whole === undefined || whole === SOURCES[name];
}

/** Reports whether a resource or data source is of a provider that the sandbox serves, or reaches nothing. */
export function isOwnType(kind: string, type: string): boolean {
  if (kind === 'resource' && type === 'terraform_data') return true;
  const [provider = ''] = type.split('_');
  return type.includes('_') && Object.hasOwn(SOURCES, provider);
}
