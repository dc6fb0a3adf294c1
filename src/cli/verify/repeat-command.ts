import { resolve } from 'node:path';
import type { VerifiableLink } from '../../verify/options.js';
import type { Flags } from './flags.js';

/**
 * The command that checks one link again, by hand and from any folder. It holds no secret.
 *
 * @param flags all of them
 * @param typed those of the command line: variables stay set for whoever runs it again, and what
 * they name may be gone by then, as the files of a sandbox are
 */
export function repeatCommand(link: VerifiableLink, flags: Flags, typed: Flags): string {
  const ownServerName = flags.tlsServerName === undefined ? link.tlsServerName : undefined;
  const credentials: Words = [
    ['--enterprise-id', typed.enterpriseId],
    ['--app-id', typed.appId],
    ['--key-id', typed.keyId],
    ['--private-key-file', absolute(typed.privateKeyFile)],
    ['--duration-seconds', typed.durationSeconds?.toString()],
    ['--session-name', typed.sessionName],
  ];
  const words: Words = [
    ['--base-url', link.baseUrl],
    ['--via', link.via],
    ['--api-host', link.apiHost],
    ...link.expectedAddresses.map((cidr) => ['--expect-address', cidr] as const),
    ...link.expectedNetworks.map((cidr) => ['--expect-network', cidr] as const),
    ...(link.zones ?? []).map(({ name, network }) => ['--zone', `${name}=${network}`] as const),
    ['--private-zone', link.privateZone ?? false],
    ['--tls-server-name', typed.tlsServerName ?? ownServerName],
    ['--allow-plain-http', link.baseUrl.startsWith('http:')],
    ...(typed.auth ? credentials : []),
    ['--no-auth', !typed.auth],
    ['--use-server-time', typed.useServerTime],
    ['--dns-server', typed.dnsServer],
    ...(typed.connectTo ?? []).map((rule) => ['--connect-to', absoluteRule(rule)] as const),
    ...(typed.resolve ?? []).map((rule) => ['--resolve', rule] as const),
    ['--family', typed.family?.toString()],
    ['--proxy', typed.proxy === undefined ? undefined : withoutCredentials(typed.proxy)],
    ...(typed.compareResolver ?? []).map((server) => ['--compare-resolver', server] as const),
    ['--ca-file', absolute(typed.caFile)],
    ...(typed.deep ? chatWords(typed) : []),
    ['--no-probes', !typed.probes],
    ['--timeout', milliseconds(typed.timeout)],
    ['--wait', milliseconds(typed.wait)],
    ['--settle', typed.settle?.toString()],
  ];
  const given = words.flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [flag, quote(value)];
  });
  return ['npx secure-connectivity verify', ...given].join(' ');
}

type Words = readonly (readonly [flag: string, value: string | boolean | undefined])[];

function chatWords(typed: Flags): Words {
  return [
    ['--deep', true],
    ['--bot-id', typed.botId],
    ['--user-id', typed.userId],
    ['--question', typed.question],
    ['--retrieve-chat-path', typed.retrieveChatPath],
    ['--retrieve-chat-method', typed.retrieveChatMethod],
  ];
}

function milliseconds(time: number | undefined): string | undefined {
  return time === undefined ? undefined : `${time}ms`;
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
