import { fwcenterVpcFireWallAclRule } from '../../../cloud/table/index.js';
import { textOf } from '../../json.js';
import { danglingReference } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import {
  checkFirewallRule,
  checkPosition,
  POLICY_DEFAULTS,
  POLICY_FACTS,
} from '../firewall-sides.js';
import { ACCOUNT_ID, VPC_FIREWALL_ID } from '../region.js';

/** A rule of the firewall between VPCs. The way to the internet does not pass it. */
export const vpcFirewallRule: CloudType = {
  row: fwcenterVpcFireWallAclRule,

  make(input, prior, cloud) {
    const firewall = textOf(input, 'VpcFirewallId');
    if (firewall !== VPC_FIREWALL_ID) throw danglingReference('VpcFirewallId', firewall);
    checkFirewallRule(input, cloud);
    checkPosition(input, prior);
    return {
      ...POLICY_DEFAULTS,
      ...input,
      ...POLICY_FACTS,
      AccountId: ACCOUNT_ID,
      RuleId: prior ? textOf(prior, 'RuleId') : cloud.newId('rule'),
      UpdateTime: Math.floor(Date.parse(cloud.now()) / 1000),
      VpcFirewallName: 'between-vpcs',
    };
  },

  checkDelete() {
    // Nothing else in the cloud refers to a rule.
  },
};
