import { ENDPOINT, FIXED_IP_ACCESS, NETWORK, TAGS } from '../../changes/api-rows.js';
import { describeRows } from '../../changes/describe-rows.js';

describeRows({
  'tags and project': TAGS,
  'the network': NETWORK,
  'the endpoint': ENDPOINT,
  'fixed-IP access': FIXED_IP_ACCESS,
});
