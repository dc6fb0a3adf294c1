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
    const { region, assumeRole, check, userIdHeader } = settings;
    keepState(this, settings.state);
    StackAccess.of(this);
    new CloudProvider(this, 'cloud', { region, assumeRole });
    const plugin = this.#pluginEndpointService(settings);
    const ingress = this.#fixedIpIngress(settings);
    if (plugin !== undefined) {
      new PostDeployCheck(this, 'check', {
        links: [],
        connected: [plugin],
        mode: check.mode,
        runOn: check.runOn,
        waitSeconds: check.wait,
        program: check.program,
        runVia: check.runVia,
      });
    }
    if (userIdHeader === undefined) return;
    const { guard, ...header } = userIdHeader;
    const own = guard && { backend: header.backend, ...guard };
    const guards: BackendGuard[] = [plugin, ingress, own].filter((one) => one !== undefined);
    new UserIdHeader(this, 'user-id-header', { guards, ...header });
  }

  #pluginEndpointService(settings: Settings): PluginEndpointService | undefined {
    const { pluginEndpointService, project, tags } = settings;
    if (pluginEndpointService === undefined) return undefined;
    const { loadBalancer, ...plugin } = pluginEndpointService;
    const common = { projectName: project, tags };
    const balancer =
      'network' in loadBalancer
        ? { ...loadBalancer, network: this.#network(loadBalancer.network, common) }
        : loadBalancer;
    return new PluginEndpointService(this, 'plugin-endpoint-service', {
      loadBalancer: balancer,
      ...common,
      ...plugin,
    });
  }

  #network(network: NonNullable<Settings['network']>, common: CommonProps): IPrivateNetwork {
    return 'vpcId' in network
      ? PrivateNetwork.fromAttributes(this, 'network', network)
      : new PrivateNetwork(this, 'network', { network, ...common });
  }

  #fixedIpIngress({ fixedIpIngress, project, tags }: Settings): FixedIpIngress | undefined {
    if (fixedIpIngress === undefined) return undefined;
    return new FixedIpIngress(this, 'fixed-ip-ingress', {
      projectName: project,
      tags,
      ...fixedIpIngress,
    });
  }
}
