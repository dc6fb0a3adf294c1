import type { Plugin } from '../../link/link.js';
import type { PluginEndpointServiceProps } from './plugin-endpoint-service-props.js';
import { DEFAULT_HEALTH_CHECK_PATH, HEALTH_CHECK_TIMEOUT } from './private-load-balancer.js';

/**
 * The servers of a private plugin as the check sees them: those that calls are sent to, with the
 * health check of the load balancer. Of a load balancer that exists none is known.
 */
export function pluginServers(
  name: string,
  serviceId: string,
  loadBalancer: PluginEndpointServiceProps['loadBalancer'],
): Plugin {
  if (!('network' in loadBalancer)) return { name, serviceId, networks: [], servers: [] };
  const { network, protocol, healthCheckPath: path = DEFAULT_HEALTH_CHECK_PATH } = loadBalancer;
  return {
    name,
    serviceId,
    networks: network.cidrs.toSorted(),
    servers: loadBalancer.servers
      .filter(({ weight }) => weight !== 0)
      .map(({ ip, port }) => `${ip}:${port}`)
      .toSorted(),
    healthCheck: {
      protocol,
      ...(protocol === 'HTTP' && { path }),
      timeoutSeconds: HEALTH_CHECK_TIMEOUT,
    },
  };
}
