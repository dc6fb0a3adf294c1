import { usageError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { type Connection, decodeLinks, linkSchema, type Plugin } from '../../link/link.js';
import { parseCidr } from '../../net/cidr.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import { parseBaseUrl } from '../../service/http/base-url.js';
import { pipeWaitMs, type VerifiableLink } from '../../verify/model/options.js';
import { readNamedJson } from '../program/named-files.js';
import { givenSources } from './command-line.js';
import { PRIVATE_ZONE } from './flags/links.js';
import type { Flags } from './flags/table.js';
import {
  digestOfDeployed,
  folderDigest,
  holdAgainstTree,
  readStackOutput,
  stackFolder,
} from './read-stack.js';

/** The outputs that hold a stack's links, or, without any, the deploy’s record of connections. */
const OUTPUTS = ['connectivity', 'connections'];
const VARIABLE = 'SECURE_CONNECTIVITY_LINKS';

/** The links to check, with the deploy's record beside them. */
export interface ReadLinks {
  readonly links: readonly VerifiableLink[];
  readonly connections: readonly Connection[];
  readonly plugins: readonly Plugin[];
  /** Stacks that links and plugins were read from; none where they come from no stack. */
  readonly stacks: readonly StackFolder[];
}

/** The folder of a stack, and the names of its links. */
interface StackFolder {
  readonly folder: string;
  readonly links: readonly string[];
}

/** Reads the links from the one source that the flags name. @throws ConnectivityError */
export async function readLinks(flags: Flags): Promise<ReadLinks> {
  const given = givenSources(flags);
  if (given.length !== 1) {
    throw usageError(
      `exactly one of \`--outputs-file\`, \`--stack\`, \`--targets\`, \`--links-from-environment\` and \`--base-url\` must be given, got: ${given.join(', ') || 'none'}`,
    );
  }
  if (flags.outputsFile !== undefined) {
    const read = flags.outputsFile.map((file) => fromOutputsFile(file, flags.timeout));
    return distinct((await Promise.all(read)).flat());
  }
  if (flags.stack !== undefined) {
    return distinct(await Promise.all(flags.stack.map(fromStack)));
  }
  return flags.linksFromEnvironment
    ? fromEnvironment()
    : { links: [linkByHand(flags)], connections: [], plugins: [], stacks: [] };
}

/** The links of one stack, and the place that they were read from. */
interface StackLinks extends Omit<ReadLinks, 'stacks'> {
  readonly stack: string;
  /** SHA-256 of the rules that the stack was synthesized with. */
  readonly rulesDigest: string;
  readonly folder: string;
  readonly source: string;
}

function decode(text: string, source: string, folder: string, stack = ''): StackLinks {
  const { links, rulesDigest, connections = [], plugins = [] } = decodeLinks(text, source);
  return { stack, source, folder, rulesDigest, links, connections, plugins };
}

function withDigest(read: StackLinks, accessDigest: string | undefined): StackLinks {
  return { ...read, links: read.links.map((link) => ({ ...link, accessDigest })) };
}

async function withTreeDigest(read: StackLinks, folder: string): Promise<StackLinks> {
  return withDigest(read, await digestOfDeployed(read, folder));
}

/** One of several stacks may have nothing yet, as before its plugin is connected: it is named. */
function requireLinks(sources: readonly StackLinks[]): void {
  const empty = sources.filter(
    ({ links, connections, plugins }) => links.length + connections.length + plugins.length === 0,
  );
  if (empty.length === sources.length) {
    const names = empty.map(({ source }) => source).join(', ');
    throw usageError(`${names} must hold at least one link, got: none`);
  }
  for (const { source } of empty) {
    process.stderr.write(`verify: ${source} has no link and no connection to check yet\n`);
  }
}

/**
 * A deploy runs the check in the stack's folder: what Terraform opens there counts, and not what the
 * links say of themselves.
 */
async function fromEnvironment(): Promise<ReadLinks> {
  const text = process.env[VARIABLE] ?? '';
  if (text === '') {
    throw usageError(`\`--links-from-environment\` needs the variable ${VARIABLE}, got: nothing`);
  }
  const read = decode(text, VARIABLE, '.');
  return distinct([withDigest(read, await folderDigest('.'))]);
}

async function fromStack(stack: string): Promise<StackLinks> {
  const { name, text, folder } = await readStackOutput(stack, OUTPUTS);
  return withTreeDigest(decode(text, `output ${name} of stack ${stack}`, folder, stack), folder);
}

/** Stacks may use the same name for a link; where they do, the stack goes before it. */
function distinct(stacks: readonly StackLinks[]): ReadLinks {
  requireLinks(stacks);
  const names = stacks.flatMap(({ links }) => links.map(({ name }) => name));
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const toName = (stack: string, name: string) => (isShared(name) ? `${stack}/${name}` : name);
  const links = stacks.flatMap(({ stack, links: own }) =>
    own.map((link) => ({ ...link, name: toName(stack, link.name) })),
  );
  return {
    links,
    connections: stacks.flatMap(({ connections }) => connections),
    plugins: stacks.flatMap(({ plugins }) => plugins),
    stacks: stacks.map(({ stack, folder, links: own }) => {
      return { folder, links: own.map(({ name }) => toName(stack, name)) };
    }),
  };
}

async function fromOutputsFile(file: string, timeoutMs?: number): Promise<StackLinks[]> {
  const outputs = await readNamedJson('--outputs-file', file, pipeWaitMs(timeoutMs));
  const found = findOutputs(outputs, []);
  if (found.length === 0) {
    throw usageError(
      `\`--outputs-file\` must hold an output \`${OUTPUTS.join('` or `')}\`, got: ${file} without one`,
    );
  }
  return Promise.all(
    found.map(async ({ path, text }) => {
      const [stack = ''] = path;
      const folder = stackFolder(stack);
      const place = path.join('.');
      const read = decode(text, `${file} (${place})`, folder, place);
      const links = await holdAgainstTree(read, folder);
      return await withTreeDigest({ ...read, links }, folder);
    }),
  );
}

/** Outputs of constructs are deeper than those of the stack itself. */
function findOutputs(
  value: unknown,
  path: readonly string[],
): { path: readonly string[]; text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    OUTPUTS.includes(key) && typeof inner === 'string'
      ? [{ path, text: inner }]
      : findOutputs(inner, [...path, key]),
  );
}

const FLAG_NAMES = {
  baseUrl: '--base-url',
  allowPlainHttp: '--allow-plain-http',
  apiHost: '--api-host',
};

/** The link that `--base-url` and the flags beside it describe. @throws ConnectivityError */
function linkByHand(flags: Flags): VerifiableLink {
  const { baseUrl = '', via, apiHost, expectAddress, tlsServerName, allowPlainHttp } = flags;
  for (const [flag, value] of Object.entries({ '--via': via, '--api-host': apiHost })) {
    if (value === undefined) throw usageError(`\`--base-url\` needs \`${flag}\` beside it`);
  }
  parseBaseUrl(baseUrl, allowPlainHttp ?? false, FLAG_NAMES);
  const isFixed = via === 'fixed-ip-egress';
  // Where nothing else is expected of a fixed-IP link, the addresses that the service names are.
  const expected = expectAddress ?? (isFixed ? FIXED_CIDRS : []);
  const isAddress = (text: string) => {
    const { first, last } = parseCidr(text);
    return isFixed || first === last;
  };
  const result = linkSchema.safeParse(
    {
      name: 'link',
      ...(via === PRIVATE_ZONE ? { via: 'service-endpoint', privateZone: true } : { via }),
      baseUrl,
      apiHost,
      expectedAddresses: expected.filter(isAddress),
      expectedNetworks: expected.filter((cidr) => !isAddress(cidr)),
      ...(tlsServerName !== undefined && { tlsServerName }),
    },
    { reportInput: true },
  );
  if (result.success) return result.data;
  const toFlag = (path: string) => new Map(Object.entries(FLAG_NAMES)).get(path) ?? path;
  const problems = result.error.issues.map((issue) => issueText(issue, toFlag));
  throw usageError(problems.join('; '));
}
