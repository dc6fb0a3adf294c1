import { TerraformStack } from 'cdktf';
import {
  CloudProvider,
  keepState,
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
    const { region, project, assumeRole, tags, apiHost, network, serviceEndpoint, check } =
      settings;
    keepState(this, settings.state);
    StackAccess.of(this);
    new CloudProvider(this, 'cloud', { region, assumeRole });
    const common = { projectName: project, tags };
    if (serviceEndpoint === undefined || network === undefined) return;

    const privateNetwork = new PrivateNetwork(this, 'network', { network, ...common });
    const endpoint = new ServiceEndpoint(this, 'service-endpoint', {
      network: privateNetwork,
      apiHost,
      ...serviceEndpoint,
      ...common,
    });
    new PostDeployCheck(this, 'check', {
      links: [endpoint],
      mode: check.mode,
      runOn: check.runOn,
      waitSeconds: check.wait,
    });
  }
}
