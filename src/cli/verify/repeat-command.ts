import { resolve } from 'node:path';
import type { VerifiableLink } from '../../verify/options.js';
import type { Flags } from './flags.js';

/** The command that checks one link again, by hand and from any folder. It holds no secret. */
export function repeatCommand(link: VerifiableLink, flags: Flags): string {
  const isPlain = link.baseUrl.startsWith('http:');
  const credentials: Words = [
    ['--enterprise-id', flags.enterpriseId],
    ['--app-id', flags.appId],
    ['--key-id', flags.keyId],
    ['--private-key-file', absolute(flags.privateKeyFile)],
    ['--duration-seconds', flags.durationSeconds?.toString()],
    ['--session-name', flags.sessionName],
  ];
  const words: Words = [
    ['--base-url', link.baseUrl],
    ['--via', link.via],
    ['--api-host', link.apiHost],
    ...link.expectedAddresses.map((cidr) => ['--expect-address', cidr] as const),
    ...link.expectedNetworks.map((cidr) => ['--expect-network', cidr] as const),
    ...(link.zones ?? []).map(({ name, network }) => ['--zone', `${name}=${network}`] as const),
    ['--private-zone', link.privateZone ?? false],
    ['--tls-server-name', flags.tlsServerName ?? link.tlsServerName],
    ['--allow-plain-http', isPlain],
    ...(flags.auth ? credentials : []),
    ['--no-auth', !flags.auth],
    ['--dns-server', flags.dnsServer],
    ...(flags.connectTo ?? []).map((rule) => ['--connect-to', absoluteRule(rule)] as const),
    ...(flags.resolve ?? []).map((rule) => ['--resolve', rule] as const),
    ['--family', flags.family?.toString()],
    ['--proxy', flags.proxy === undefined ? undefined : withoutCredentials(flags.proxy)],
    ...(flags.compareResolver ?? []).map((server) => ['--compare-resolver', server] as const),
    ['--ca-file', absolute(flags.caFile)],
    ...(flags.deep ? chatWords(flags) : []),
    ['--timeout', flags.timeout === undefined ? undefined : `${flags.timeout}ms`],
  ];
  const given = words.flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [flag, quote(value)];
  });
  return ['npx secure-connectivity verify', ...given].join(' ');
}

type Words = readonly (readonly [flag: string, value: string | boolean | undefined])[];

function chatWords(flags: Flags): Words {
  return [
    ['--deep', true],
    ['--bot-id', flags.botId],
    ['--user-id', flags.userId],
    ['--question', flags.question],
    ['--retrieve-chat-path', flags.retrieveChatPath],
    ['--retrieve-chat-method', flags.retrieveChatMethod],
  ];
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/i, '$1');
}

function quote(text: string): string {
  return /^[\w./:@%+=,[\]-]+$/.test(text) && !text.includes('[')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Standard input and open descriptors have no other name. */
function absolute(file: string | undefined): string | undefined {
  if (file === undefined || file === '-' || file.startsWith('/dev/')) return file;
  return resolve(file);
}

function absoluteRule(rule: string): string {
  return rule.startsWith('@') ? `@${absolute(rule.slice(1))}` : rule;
}
