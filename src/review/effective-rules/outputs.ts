import { readNextSteps } from '../../link/next-steps.js';
import { type Json, list, object, text } from '../../reach/read/json.js';
import type { Block } from '../../reach/read/merge-files.js';
import type { TerraformResource, TerraformStackJson } from '../../reach/read/terraform-json.js';
import {
  type Fact,
  makeFacts,
  type Reading,
  toBoolean,
  unreadMembers,
  unreadValue,
} from '../../reach/rules/reading.js';
import { readExpressions } from '../../terraform/expressions.js';
import { readConnectivity, readToldToCheck, TOLD } from './links.js';
import { networksBeside } from './networks.js';
import type { StackContext } from './programs/check-steps.js';

/** Reads an output: it opens nothing, but people and clients use what it gives them. */
export function readOutput(
  where: string,
  { body, labels }: Block,
  { stack }: StackContext,
): Reading {
  const [name = ''] = labels;
  const isUnreadable = TOLD.has(name) && readToldToCheck(body.value) === undefined;
  return {
    facts: [
      ...givenFacts(where, name, body.value, stack),
      ...makeFacts({ kind: 'safeguard', resource: where }, SENSITIVE, {
        sensitive: toBoolean(body.sensitive) === true ? 'sensitive' : [],
      }),
    ],
    unread: [
      ...unreadMembers(where, body, OUTPUT, 'the argument is not known'),
      ...(isUnreadable ? [unreadValue(where, 'value', NOT_TOLD, body.value)] : []),
    ],
  };
}

const OUTPUT = ['//', 'value', 'description', 'sensitive'];
const SENSITIVE = {
  sensitive: ['secrecy', 'removed', 'plans, logs and files of outputs show its value'],
} as const;
const NOT_TOLD = 'it is not what this package tells the check';

/** Tells whether a variable is the one in which `deploy` hands the state what was reviewed, and nothing else uses it. */
export function isOfReview(where: string, { resources, blocks }: StackContext['stack']): boolean {
  if (where !== 'variable.reviewed_files' || blocks.get(where)?.body.default !== '') return false;
  const others = [...blocks].filter(([key]) => key !== where && key !== 'output.reviewed-files');
  const { references, unreadable } = readExpressions([resources.map(({ body }) => body), others]);
  const isUsed = references.some(({ path }) => path[1] === 'reviewed_files');
  return !isUsed && unreadable.length === 0;
}

function givenFacts(
  resource: string,
  name: string,
  value: unknown,
  stack: StackContext['stack'],
): Fact[] {
  if (name.endsWith('-options')) {
    const trusted = Object.entries(readToldToCheck(value) ?? { unreadable: value });
    return makeFacts({ kind: 'control', resource }, TRUST, {
      trusted: trusted.flatMap(([of, all]) => list(all).map((one) => `${of} ${text(one)}`)),
    });
  }
  if (JUDGED.test(name)) return [];
  if (name.endsWith('-next-steps')) {
    const steps = readNextSteps(text(value));
    return makeFacts({ kind: 'destination', resource }, STEPS, {
      accept: steps?.accept,
      steps: steps === undefined ? value : [],
    });
  }
  const isOfLink = readConnectivity(stack).some(({ baseUrl }) => isBaseUrl(text(value), baseUrl));
  // The row of a link tells of a change of both.
  return makeFacts(
    { kind: 'destination', resource },
    { value: ['value', /-(?:base-url|domain)$/.test(name) ? 'added' : 'replaced', OTHER] },
    { value: isOfLink ? [] : value },
  );
}

/** Steps that people are told to take. */
const STEPS = {
  accept: [
    'connection to accept',
    'replaced',
    'people are told to accept the connection of another',
  ],
  steps: [
    'next steps',
    'added',
    'people are told to do something that this package does not tell them',
  ],
} as const;

const OTHER = 'whoever uses this output is given something else';

/** Outputs that other readers judge. */
const JUDGED = /^(?:rules-digest|connectivity|connections)$|-records$/;

/** Tells whether a text is the base URL, or its host alone. */
function isBaseUrl(value: string, baseUrl: string): boolean {
  return value === baseUrl || value === baseUrl.replace(/^https?:\/\//, '');
}

/** The options of the user ID header that a backend is given. */
const TRUST = {
  trusted: ['trust', 'added', 'the backend trusts the user ID header from elsewhere'],
} as const;

/**
 * Compares the connections and servers that the check is told of with those that the stack makes: a check
 * of others, or of fewer, proves nothing about the stack, and dials what the change names.
 */
export function readToldConnections(stack: TerraformStackJson): Fact[] {
  const { resources, outputs } = stack;
  const [name, output] = Object.entries(outputs).find(([key]) => TOLD.has(key)) ?? [];
  const told = readToldToCheck(object(output).value);
  if (name === undefined || told === undefined) return [];
  const all = list(told.connections).map(object);
  const plugins = list(told.plugins).map(object);
  const made = resources.filter(({ kind }) => kind === 'resource');
  const connections = made.filter(({ type }) => type === CONNECTION).map(toldOf);
  const servers = made.flatMap(serversOf);
  const networks = made.flatMap(({ body }) => list(body.cidr_block).map(text));
  return makeFacts({ kind: 'safeguard', resource: `output.${name}` }, ROWS, {
    connections: difference(all.map(withoutNames), connections),
    accounts: all.map(({ ownerAccountId }) => text(ownerAccountId)),
    servers: difference(
      plugins.flatMap(({ servers: own }) => list(own).map(text)),
      servers,
    ),
    networks: networksBeside(
      plugins.flatMap(({ networks: own }) => list(own).map(text)),
      networks,
    ),
    others: Object.keys(told).filter((key) => !KNOWN.has(key)),
  });
}

const KNOWN = new Set(['schema', 'rulesDigest', 'links', 'connections', 'plugins']);
const CONNECTION = 'volcenginecc_privatelink_vpc_endpoint_connection';

const ROWS = {
  connections: [
    'connections that the check is told otherwise',
    'added',
    'the check judges other connections than the stack makes',
  ],
  accounts: [
    'accounts whose connections the check accepts',
    'added',
    'the check accepts the connections of another account',
  ],
  servers: [
    'servers that the check is told otherwise',
    'added',
    'the check dials other servers than the stack has',
  ],
  networks: [
    'networks of plugins that the stack does not make',
    'added',
    'the check dials servers from elsewhere',
    'networks',
  ],
  others: ['other content for the check', 'any', 'the check judges otherwise'],
} as const;

/** Those that only one of the two has. */
function difference(told: readonly string[], made: readonly string[]): string[] {
  return [
    ...told.filter((one) => !made.includes(one)),
    ...made.filter((one) => !told.includes(one)),
  ];
}

function withoutNames({ name: _, ownerAccountId: __, ...rest }: Json): string {
  return written(rest);
}

/** Writes down a connection of the stack as the check must be told of it. */
function toldOf({ address, body }: TerraformResource): string {
  const { service_id: serviceId, endpoint_id: endpointId } = body;
  return written({ serviceId, endpointId, status: `\${${address}.connection_status}` });
}

function written(told: Json): string {
  return JSON.stringify(Object.entries(told).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function serversOf({ type, body }: TerraformResource): string[] {
  if (type !== 'volcenginecc_clb_server_group') return [];
  return list(body.servers)
    .map(object)
    .filter(({ weight }) => weight !== 0 && weight !== '0')
    .map(({ ip, port }) => `${text(ip)}:${text(port)}`);
}
