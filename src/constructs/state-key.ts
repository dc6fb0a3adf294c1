import type { Settings } from '../settings/schema.js';
import { collectProblems } from './mistakes.js';

type Remote = Exclude<Settings['state'], { backend: 'local' }>;
export type RemoteConfig = Remote['config'];

interface KeyRule {
  /** The field of the backend's configuration that says which state it is. */
  readonly field: string;
  /** Between a given prefix and the name of the stack. */
  readonly separator: string;
  readonly ending?: string;
  readonly maxBytes: number;
  /** The pattern of keys that the store takes. @default - everything */
  readonly pattern?: RegExp;
  readonly rule?: string;
}

const KEY_RULES: Readonly<Record<Exclude<Remote['backend'], 'http'>, KeyRule>> = {
  s3: { field: 'key', separator: '/', ending: '.tfstate', maxBytes: 1024 },
  // PostgreSQL cuts longer names without an error, and two of them become one.
  pg: { field: 'schema_name', separator: '_', maxBytes: 63 },
  consul: { field: 'path', separator: '/', maxBytes: 507 },
  kubernetes: {
    field: 'secret_suffix',
    separator: '-',
    maxBytes: 63,
    pattern: /^(?!.*-\d+$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    rule: 'lower-case letters, digits and `-`, not ending with `-` and a number',
  },
};

const PLACEHOLDER = '{stack}';

interface StateKey {
  readonly key: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/**
 * Returns the part of a backend's configuration that gives a stack a state of its own.
 *
 * @param name of the stack and its environment
 */
export function stateKey(backend: Remote['backend'], config: RemoteConfig, name: string): StateKey {
  return backend === 'http' ? addresses(config, name) : namedKey(KEY_RULES[backend], config, name);
}

function namedKey(rule: KeyRule, config: RemoteConfig, name: string): StateKey {
  const { field, separator, ending = '', maxBytes, pattern } = rule;
  const given = String(config[field] ?? '');
  const isTemplate = given.includes(PLACEHOLDER);
  const prefix = given.endsWith(separator) ? given : `${given}${separator}`;
  const key = isTemplate
    ? given.replaceAll(PLACEHOLDER, name)
    : `${given === '' ? '' : prefix}${name}${ending}`;
  const problems = collectProblems(
    Buffer.byteLength(key) > maxBytes &&
      `\`state.config.${field}\` must be at most ${maxBytes} bytes, got: "${key}"; shorten it or the name of the stack`,
    pattern !== undefined &&
      !pattern.test(key) &&
      `\`state.config.${field}\` must be ${rule.rule}, got: "${key}"; place the stack's name with \`${PLACEHOLDER}\`, or rename the stack`,
  );
  return { key: { [field]: key }, problems };
}

const ADDRESSES = ['address', 'lock_address', 'unlock_address'] as const;

function addresses(config: RemoteConfig, name: string): StateKey {
  const base = withoutSlash(String(config.address));
  const given = ADDRESSES.flatMap((field) =>
    config[field] === undefined ? [] : [[field, String(config[field])] as const],
  );
  return {
    key: Object.fromEntries(given.map(([field, url]) => [field, address(url, base, name)])),
    problems: given.flatMap(([field, url]) => addressProblems(field, url)),
  };
}

/** A lock that lies below the state's address lies below the stack's own address, too. */
function address(url: string, base: string, name: string): string {
  const part = encodeURIComponent(name);
  if (url.includes(PLACEHOLDER)) return url.replaceAll(PLACEHOLDER, part);
  if (url.startsWith(`${base}/`)) return `${base}/${part}${withoutSlash(url.slice(base.length))}`;
  return `${withoutSlash(url)}/${part}`;
}

function addressProblems(field: string, url: string): string[] {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    return [`\`state.config.${field}\` must be an http or https URL; correct it`];
  }
  if (url.includes(PLACEHOLDER) || !/[?#]/.test(url)) return [];
  return [
    `\`state.config.${field}\` has a query, so it must hold \`${PLACEHOLDER}\` where the stack's name goes`,
  ];
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
