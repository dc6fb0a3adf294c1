import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { listResources } from '../cloud/cloud-state.js';
import { readText } from '../json.js';
import { fixedIpCaller, type World } from '../network/world.js';
import type { PluginAnswer } from '../service/stores.js';
import { callPlugin } from './call-plugin.js';
import { connectionsTo } from './connections.js';

/**
 * Calls the agent's plugins for a chat: one over each private connection of the service, and one from
 * a fixed address where a workload lets such calls in. The chat's `user_id` goes with each call.
 *
 * @param backend `address:port` of the process in the backends' place
 */
export async function callAgentPlugins(
  world: World,
  userId: string,
  backend: string,
): Promise<PluginAnswer[]> {
  const calls = plugins(world).map(async ({ name, call }): Promise<PluginAnswer> => {
    try {
      const { status, body } = await callPlugin(world, { ...call, userId }, backend);
      return { name, result: { status, body } };
    } catch (error) {
      if (!(error instanceof ConnectivityError)) throw error;
      return { name, result: { error: error.code, message: error.message } };
    }
  });
  return await Promise.all(calls);
}

function plugins(world: World) {
  const services = listResources(world.cloud, privatelinkEndpointService)
    .map((service) => readText(service, 'ServiceId'))
    .filter((serviceId) => connectionsTo(world, serviceId).length > 0);
  const caller = fixedIpCaller(world);
  return [
    ...services.map((serviceId) => ({ name: serviceId, call: { serviceId } })),
    ...(caller ? [{ name: `from ${caller.from}`, call: caller }] : []),
  ];
}
