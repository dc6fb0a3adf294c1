import { TerraformStack } from 'cdktf';
import {
  CloudProvider,
  PostDeployCheck,
  PrivateNetwork,
  ServiceEndpoint,
} from 'cdktf-secure-connectivity';
import type { Construct } from 'constructs';

export class AgentService extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new CloudProvider(this, 'cloud', { region: 'cn-beijing' });
    const network = new PrivateNetwork(this, 'network', {
      network: {
        name: 'agents',
        cidr: '10.20.0.0/16',
        subnets: { 'cn-beijing-a': '10.20.1.0/24' },
      },
    });
    const endpoint = new ServiceEndpoint(this, 'service-endpoint', {
      network,
      name: 'agent-service',
      apiHost: 'api.sandbox.example',
      serviceName: 'com.volces.privatelink.cn-beijing.epsvc-sandbox',
      scheme: 'https',
      preventDestroy: false,
    });
    new PostDeployCheck(this, 'check', { links: [endpoint], waitSeconds: 30 });
  }
}
