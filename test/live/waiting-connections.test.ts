import { expect, test } from 'vitest';
import type { OpenCloud } from '../../src/live/read-outward.js';
import { describeWaiting, readWaiting } from '../../src/live/waiting-connections.js';
import { CONNECTION, SERVICE } from '../sandbox/support.js';

type Connection = Readonly<Record<string, string>>;

function connection(endpoint: string, facts: Connection = {}): Connection {
  return {
    ServiceId: 'epsvc-1',
    EndpointId: endpoint,
    EndpointOwnerAccountId: '2100000001',
    ConnectionStatus: 'PendingAcceptance',
    ...facts,
  };
}

/** @param listed the properties that a list tells of each connection; all of them if not given */
function cloudOf(connections: readonly Connection[], listed?: readonly string[]) {
  const byId = new Map(connections.map((one) => [`${one.ServiceId}|${one.EndpointId}`, one]));
  const calls: string[] = [];
  const tell = (one: Connection) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => listed?.includes(name) ?? true));
  const cloud: OpenCloud = {
    async get(type, identifier) {
      calls.push(identifier);
      const service = identifier === 'epsvc-1' ? { PermitAccountIds: ['2100000001'] } : undefined;
      const properties = type === SERVICE ? service : byId.get(identifier);
      return properties && { identifier, properties };
    },
    async *pages(type) {
      if (type !== CONNECTION) throw new Error(type);
      const all = [...byId].map(([identifier, one]) => ({ identifier, properties: tell(one) }));
      // A page for each, as with an account that has many.
      for (const one of all) yield [one];
    },
  };
  return { cloud, calls };
}

const ALL = [
  connection('ep-service'),
  connection('ep-stranger', { EndpointOwnerAccountId: '666' }),
  connection('ep-nobody', { EndpointOwnerAccountId: '' }),
  connection('ep-accepted', { ConnectionStatus: 'Connected' }),
  connection('ep-rejected', { ConnectionStatus: 'Rejected' }),
  connection('ep-elsewhere', { ServiceId: 'epsvc-2' }),
];

const EXPECTED = [
  { endpoint: 'ep-service', account: '2100000001', isListed: true },
  { endpoint: 'ep-stranger', account: '666', isListed: false },
  { endpoint: 'ep-nobody', account: '', isListed: false },
].map((one) => ({ service: 'epsvc-1', ...one }));

test('finds what waits for a service, on whichever page it is', async () => {
  const { cloud, calls } = cloudOf(ALL);
  expect(await readWaiting(cloud, ['epsvc-1'])).toEqual(EXPECTED);
  expect(calls).toEqual(['epsvc-1']);
});

test.each([
  { listed: ['ServiceId'], isElsewhereRead: false },
  { listed: [], isElsewhereRead: true },
])('reads what a list with $listed does not tell', async ({ listed, isElsewhereRead }) => {
  const { cloud, calls } = cloudOf(ALL, listed);
  expect(await readWaiting(cloud, ['epsvc-1'])).toEqual(EXPECTED);
  expect(calls.includes('epsvc-2|ep-elsewhere')).toBe(isElsewhereRead);
});

test('lists nothing where there is no service', async () => {
  const { cloud } = cloudOf(ALL);
  const unlisted: OpenCloud = {
    ...cloud,
    pages: () => {
      throw new Error('listed');
    },
  };
  expect(await readWaiting(unlisted, [])).toEqual([]);
  expect(await readWaiting(unlisted, ['epsvc-gone'])).toEqual([]);
});

test('offers what an account of the allow-list asks for, and nothing else', async () => {
  const { cloud } = cloudOf(ALL);
  const [own = '', ...others] = (await readWaiting(cloud, ['epsvc-1'])).map(describeWaiting);
  expect(own).toContain('add "ep-service" to `acceptedEndpointIds` and deploy again');
  expect(others).toHaveLength(2);
  for (const text of others) {
    expect(text).toMatch(/a stranger's.*do not accept it/);
    expect(text).not.toContain('acceptedEndpointIds');
  }
});
