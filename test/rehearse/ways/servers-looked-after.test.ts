import { expect, test } from 'vitest';
import type { ConnectivityError } from '../../../src/codes/connectivity-error.js';
import { pluginWay, readWays } from '../../../src/rehearse/ways/ways.js';
import { connectPlugin, pluginRoute } from '../../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import {
  buildBalancer,
  buildService,
  CONNECTION,
  emptyCloud,
  SERVERS,
} from '../../sandbox/support.js';

/** A connected plugin, judged by the ways and by the sandbox. */
function judge(listener: object, servers?: readonly object[]) {
  const cloud = emptyCloud({ taskPolls: 0 });
  const { balancer, group, servers: id } = buildBalancer(cloud, { ...listener });
  if (servers !== undefined)
    Object.assign(cloud.state.resources[SERVERS]?.[id] ?? {}, { Servers: servers });
  const service = { ...SANDBOX_SERVICE, backendGroups: new Map([[balancer, group]]) };
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service });
  const serviceId = buildService(cloud, balancer);
  const { endpointId: EndpointId } = connectPlugin(cloud, world, serviceId);
  cloud.startCreate(CONNECTION, { ServiceId: serviceId, EndpointId }, 'accept');
  const { state } = pluginWay(readWays(cloud.state, [], service), serviceId);
  try {
    return [state, pluginRoute(world(), serviceId).port];
  } catch (error) {
    return [state, (error as ConnectivityError).code];
  }
}

test.each([
  ['on the port that it calls', {}, 'open', 8080],
  ['on the same port, by its number', { HealthCheck: { Port: 8080 } }, 'open', 8080],
  ['on a port that is closed', { HealthCheck: { Port: 9999 } }, 'dropped', 'backend.unhealthy'],
  ['not at all', { HealthCheck: { Enabled: 'off', Port: 9999 } }, 'open', 8080],
])('a server gets calls where its balancer can look after it: %s', (_, facts, state, seen) => {
  expect(judge(facts)).toEqual([state, seen]);
});

test('calls go to the servers that let the balancer in, whichever is first', () => {
  const server = (Ip: string, Port: number) => ({
    ...{ InstanceId: Ip, Ip, Type: 'ip', Port, Weight: 100 },
  });
  const closed = server('10.20.1.11', 8081);
  expect(judge({}, [closed, server('10.20.1.10', 8080)])).toEqual(['open', 8080]);
  expect(judge({}, [closed])).toEqual(['dropped', 'backend.unhealthy']);
});
