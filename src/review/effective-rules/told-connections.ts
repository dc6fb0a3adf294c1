import { type Json, list, object, text } from '../../reach/read/json.js';
import type { TerraformResource, TerraformStackJson } from '../../reach/read/terraform-json.js';
import { type Fact, makeFacts } from '../../reach/rules/reading.js';
import { readToldToCheck, TOLD } from './links.js';
import { networksBeside } from './networks.js';

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
