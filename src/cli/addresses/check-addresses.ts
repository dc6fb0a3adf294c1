import * as z from 'zod';
import { EXIT, factsOf, type Reason } from '../../codes/codes.js';
import { usageError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { parseAddress } from '../../net/address.js';
import {
  ADDRESS_STATES,
  type AddressList,
  addressListProblems,
  type ListedAddress,
} from '../../net/address-list.js';
import { cidrContains, parseNetwork } from '../../net/cidr.js';
import { parseDuration } from '../../net/duration.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { sayWhileWaiting } from '../../progress/waiting.js';
import { transportCode } from '../../service/http/transport-code.js';
import { parseDnsServer } from '../../verify/transport/addresses.js';
import { resolveName } from '../../verify/transport/resolve-name.js';
import { readFlag } from '../program/arguments.js';
import { readNamedJson } from '../program/named-files.js';

export interface CheckFlags {
  readonly host: string;
  readonly list?: string;
  readonly dnsServer: readonly string[];
  readonly timeout: string;
  readonly format: 'text' | 'json';
}

/** Asks the resolvers, prints how their answers differ from the list, and answers the exit status. */
export async function checkAddresses(flags: CheckFlags): Promise<number> {
  const list = flags.list === undefined ? FIXED_ADDRESSES : await readList(flags.list);
  const timeoutMs = readFlag('--timeout', flags.timeout, parseDuration);
  const answers = await ask(readHost(flags.host), chooseServers(flags), timeoutMs);
  const comparison = compare(flags.host, list, answers);
  const json = flags.format === 'json' && `${JSON.stringify(comparison, null, 2)}\n`;
  process.stdout.write(json || textReport(comparison));
  return chooseExit(comparison);
}

const printable = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

const listFile = z.object({
  version: printable,
  entries: z.array(
    z.object({
      address: z.string(),
      state: z.enum(ADDRESS_STATES),
      firstSeen: z.iso.date('must be a date such as 2026-05-04'),
      source: printable,
    }),
  ),
});

/** Reads a list of this package: JSON with `version` and `entries`. @throws ConnectivityError `usage.invalid` */
async function readList(file: string): Promise<AddressList> {
  const result = listFile.safeParse(await readNamedJson('--list', file), { reportInput: true });
  if (!result.success) {
    const [problem] = result.error.issues.map((issue) => issueText(issue));
    throw usageError(`\`--list\`: ${problem}, got: ${file}`);
  }
  const problems = addressListProblems('--list.entries', result.data);
  if (problems.length > 0) throw usageError(problems.join('; '));
  return result.data;
}

/** Chooses the servers to ask; without any, the system's resolver is asked. */
function chooseServers({ dnsServer }: CheckFlags): (string | undefined)[] {
  const variable = process.env.SECURE_CONNECTIVITY_DNS_SERVER ?? '';
  const given = dnsServer.length > 0 || variable === '' ? dnsServer : [variable];
  return given.length === 0
    ? [undefined]
    : [...new Set(given.map((text) => parseDnsServer(text, '--dns-server')))];
}

function readHost(text: string): string {
  if (/^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/i.test(text)) return text;
  throw usageError(`\`--host\` must be a host name without scheme, port or path, got: "${text}"`);
}

async function ask(host: string, servers: readonly (string | undefined)[], timeoutMs: number) {
  const { signal } = new AbortController();
  const silent = new Set(servers.map((server) => server ?? 'system'));
  const waiting = sayWhileWaiting(
    () => `addresses: waiting for the answer of ${[...silent].join(', ')} for ${host}`,
  );
  const askOne = async (server: string | undefined): Promise<Answer> => {
    const name = server ?? 'system';
    try {
      const { addresses } = await resolveName(host, { server, timeoutMs, signal });
      return { server: name, addresses };
    } catch (error) {
      return { server: name, addresses: [], error: transportCode(error, 'dns') };
    } finally {
      silent.delete(name);
    }
  };
  const answers = await Promise.all(servers.map(askOne));
  waiting.end();
  return answers;
}

function chooseExit({ outside, resolvers }: Comparison): number {
  if (outside.length > 0) return EXIT.differs;
  const failed = resolvers.find(({ error }) => error !== undefined)?.error;
  return failed === undefined ? 0 : factsOf(failed).exit;
}

/** Says first what the exit status says: whether DNS leads anywhere that the rules do not let through. */
function verdict({ outside, resolvers }: Comparison): string {
  if (outside.length > 0) return 'differs: DNS names an address outside the list';
  const silent = resolvers.filter(({ error }) => error !== undefined).length;
  return silent > 0
    ? `not shown: ${silent} of ${resolvers.length} resolvers gave no answer`
    : 'agrees: every answer is in the list';
}

function textReport(comparison: Comparison): string {
  const { host, listVersion, resolvers, outside, unresolved } = comparison;
  const lines = [
    `${host}, list ${listVersion}: ${verdict(comparison)}`,
    ...resolvers.map(
      ({ server, addresses, error }) => `  ${server}: ${error ?? addresses.join(', ')}`,
    ),
    ...outside.map(
      ({ address, servers, state }) =>
        `outside the list: ${address}${state ? ` (${state})` : ''}, answered by ${servers.join(', ')}`,
    ),
    outside.length > 0 &&
      'Ask the vendor for its list, change `addresses` in the settings, and review the change.',
    unresolved.length > 0 &&
      `listed, in no answer (a resolver sees only its own subset): ${unresolved.join(', ')}`,
  ];
  return lines.map((line) => (line === false ? '' : `${line}\n`)).join('');
}

interface Answer {
  /** `IP:PORT`, or `system`. */
  readonly server: string;
  readonly addresses: readonly string[];
  /** The code of why there is no answer. */
  readonly error?: Reason;
}

type Comparison = ReturnType<typeof compare>;

/** Compares what resolvers said with what rules let through. */
function compare(host: string, { version, entries }: AddressList, answers: readonly Answer[]) {
  const effective = entries.filter(({ state }) => state !== 'removed');
  const resolved = [...new Set(answers.flatMap(({ addresses }) => addresses))];
  const isIn = (address: string, entry: ListedAddress) =>
    cidrContains(parseNetwork(entry.address), parseAddress(address));
  return {
    schema: 'secure-connectivity/addresses-check@1',
    host,
    listVersion: version,
    resolvers: answers,
    /** Resolved, but not let through: `state` is `removed` where the list says so. */
    outside: resolved
      .filter((address) => !effective.some((entry) => isIn(address, entry)))
      .map((address) => {
        const state = entries.find((entry) => isIn(address, entry))?.state;
        const answered = answers.filter(({ addresses }) => addresses.includes(address));
        return { address, servers: answered.map(({ server }) => server), ...(state && { state }) };
      }),
    /** Let through, but in no answer: a resolver sees only its own subset. */
    unresolved: effective
      .filter((entry) => !resolved.some((address) => isIn(address, entry)))
      .map(({ address }) => address),
  };
}
