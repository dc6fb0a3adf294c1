import { TerraformStack } from 'cdktf';
import {
  type BackendGuard,
  CloudProvider,
  type CommonProps,
  FixedIpIngress,
  type IPrivateNetwork,
  keepState,
  PluginEndpointService,
  PostDeployCheck,
  PrivateNetwork,
  StackAccess,
  UserIdHeader,
} from 'cdktf-secure-connectivity';
import type { Settings } from 'cdktf-secure-connectivity/settings';
import type { Construct } from 'constructs';

/** The service's ways to the enterprise's plugins. */
export class PluginAccess extends TerraformStack {
  /** True if the settings name anything for this stack. */
  static isNamed({ pluginEndpointService, fixedIpIngress, userIdHeader }: Settings): boolean {
    return [pluginEndpointService, fixedIpIngress, userIdHeader].some(
      (option) => option !== undefined,
    );
  }

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { region, assumeRole, check } = settings;
    keepState(this, settings.state);
    StackAccess.of(this);
    new CloudProvider(this, 'cloud', { region, assumeRole });
    const connected = waysToPlugins(this, settings);
    if (connected.length === 0) return;
    new PostDeployCheck(this, 'check', {
      links: [],
      connected,
      mode: check.mode,
      runOn: check.runOn,
      waitSeconds: check.wait,
      program: check.program,
      runVia: check.runVia,
    });
  }
}

/**
 * Creates what the settings name for calls of plugins.
 *
 * @param network names the network of a new load balancer
 */
export function waysToPlugins(
  scope: Construct,
  settings: Settings,
  network = 'network',
): PluginEndpointService[] {
  const plugin = pluginEndpointService(scope, settings, network);
  const ingress = fixedIpIngress(scope, settings);
  const { userIdHeader } = settings;
  if (userIdHeader !== undefined) {
    const { guard, ...header } = userIdHeader;
    const own = guard && { backend: header.backend, ...guard };
    const guards: BackendGuard[] = [plugin, ingress, own].filter((one) => one !== undefined);
    new UserIdHeader(scope, 'user-id-header', { guards, ...header });
  }
  return plugin === undefined ? [] : [plugin];
}

function pluginEndpointService(
  scope: Construct,
  { pluginEndpointService, project, tags }: Settings,
  networkId: string,
): PluginEndpointService | undefined {
  if (pluginEndpointService === undefined) return undefined;
  const { loadBalancer, ...plugin } = pluginEndpointService;
  const common = { projectName: project, tags };
  const balancer =
    'network' in loadBalancer
      ? { ...loadBalancer, network: makeNetwork(scope, networkId, loadBalancer.network, common) }
      : loadBalancer;
  return new PluginEndpointService(scope, 'plugin-endpoint-service', {
    loadBalancer: balancer,
    ...common,
    ...plugin,
  });
}

function makeNetwork(
  scope: Construct,
  id: string,
  network: NonNullable<Settings['network']>,
  common: CommonProps,
): IPrivateNetwork {
  return 'vpcId' in network
    ? PrivateNetwork.fromAttributes(scope, id, network)
    : new PrivateNetwork(scope, id, { network, ...common });
}

function fixedIpIngress(
  scope: Construct,
  { fixedIpIngress, project, tags }: Settings,
): FixedIpIngress | undefined {
  if (fixedIpIngress === undefined) return undefined;
  return new FixedIpIngress(scope, 'fixed-ip-ingress', {
    projectName: project,
    tags,
    ...fixedIpIngress,
  });
}
