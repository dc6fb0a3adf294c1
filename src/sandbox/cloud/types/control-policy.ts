import { fwcenterControlPolicy } from '../../../cloud/table/index.js';
import { textOf } from '../../json.js';
import type { CloudType } from '../cloud-type.js';
import {
  checkFirewallRule,
  checkPosition,
  POLICY_DEFAULTS,
  POLICY_FACTS,
} from '../firewall-sides.js';
import { ACCOUNT_ID } from '../region.js';

/** A policy of the firewall between the VPCs and the internet. */
export const controlPolicy: CloudType = {
  row: fwcenterControlPolicy,

  make(input, prior, cloud) {
    checkFirewallRule(input, cloud);
    checkPosition(input, prior);
    return {
      ...POLICY_DEFAULTS,
      IpType: 'v4',
      ...input,
      ...POLICY_FACTS,
      AccountId: ACCOUNT_ID,
      RuleId: prior ? textOf(prior, 'RuleId') : cloud.newId('policy'),
      UpdateTime: Math.floor(Date.parse(cloud.now()) / 1000),
    };
  },

  checkDelete() {
    // Nothing else in the cloud refers to a policy.
  },
};
