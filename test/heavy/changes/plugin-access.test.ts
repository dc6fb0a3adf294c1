import { describeRows } from '../../changes/describe-rows.js';
import { BALANCER, CONNECTION, FIXED_IP_PLUGIN } from '../../changes/plugin-rows.js';

describeRows({
  'the load balancer': BALANCER,
  'the private plugin': CONNECTION,
  'fixed-IP calls': FIXED_IP_PLUGIN,
});
