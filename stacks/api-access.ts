import { TerraformStack } from 'cdktf';
import {
  CloudProvider,
  FixedIpEgress,
  type IPrivateNetwork,
  keepState,
  type Linked,
  PostDeployCheck,
  PrivateNetwork,
  ServiceEndpoint,
  StackAccess,
} from 'cdktf-secure-connectivity';
import type { Settings } from 'cdktf-secure-connectivity/settings';
import type { Construct } from 'constructs';

/** The enterprise's ways to the service's API. */
export class ApiAccess extends TerraformStack {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { region, assumeRole, check, keyPairs } = settings;
    keepState(this, settings.state);
    StackAccess.of(this);
    new CloudProvider(this, 'cloud', { region, assumeRole });
    const links = linksToApi(this, settings);
    if (links.length === 0) return;
    new PostDeployCheck(this, 'check', {
      links,
      keyPairs,
      mode: check.mode,
      runOn: check.runOn,
      waitSeconds: check.wait,
      program: check.program,
      runVia: check.runVia,
    });
  }
}

/** Creates what the settings name for calls to the API. */
export function linksToApi(scope: Construct, settings: Settings): Linked[] {
  const network = makeNetwork(scope, settings);
  return [...serviceEndpoint(scope, settings, network), ...fixedIpEgress(scope, settings, network)];
}

function makeNetwork(
  scope: Construct,
  { network, serviceEndpoint, project, tags }: Settings,
): IPrivateNetwork | undefined {
  if (network === undefined || serviceEndpoint === undefined) return undefined;
  if ('vpcId' in network) return PrivateNetwork.fromAttributes(scope, 'network', network);
  return new PrivateNetwork(scope, 'network', { network, projectName: project, tags });
}

function serviceEndpoint(
  scope: Construct,
  { serviceEndpoint, apiHost, project, tags }: Settings,
  network: IPrivateNetwork | undefined,
): Linked[] {
  if (serviceEndpoint === undefined || network === undefined) return [];
  const { allowedNetworks = network.cidrs, ...access } = serviceEndpoint;
  const endpoint = new ServiceEndpoint(scope, 'service-endpoint', {
    network,
    apiHost,
    projectName: project,
    tags,
    ...access,
    allowedNetworks: allowedNetworks.filter((one) => typeof one === 'string'),
  });
  for (const one of allowedNetworks) {
    if (typeof one !== 'string') endpoint.allowFrom(one.cidr, one.reason);
  }
  return [endpoint];
}

function fixedIpEgress(
  scope: Construct,
  { fixedIpEgress, apiHost, project, tags }: Settings,
  network: IPrivateNetwork | undefined,
): Linked[] {
  if (fixedIpEgress === undefined) return [];
  const { securityGroup, ...access } = fixedIpEgress;
  const vpcId = securityGroup?.vpcId ?? network?.vpcId;
  return [
    new FixedIpEgress(scope, 'fixed-ip-egress', {
      apiHost,
      projectName: project,
      tags,
      ...access,
      ...(securityGroup && vpcId !== undefined && { securityGroup: { vpcId } }),
    }),
  ];
}
