import { anyText, list, number, oneOf, text } from '../../cloud/props/kinds.js';
import { object, optional, required, type Shape } from '../../cloud/props/shape.js';
import { ADDRESS_STATES, type ListedAddress } from '../../net/address-list.js';
import { COMMON_PROPS, exception, name } from '../props-and-outputs.js';
import { firewallTarget } from '../rules/ruled-firewall.js';
import type { FixedIpProps, FixedIpTargets, ListedAddresses } from './fixed-ip-enforcement.js';

/** The props of all constructs of fixed addresses. */
export const FIXED_IP_PROPS: Shape<FixedIpProps> = {
  ...COMMON_PROPS,
  name: required(name),
  securityGroup: optional(
    object<{ readonly vpcId: string }>('an object with vpcId', { vpcId: required(text) }),
  ),
  prefixList: optional(
    object<NonNullable<FixedIpTargets['prefixList']>>('an object, which may be empty', {
      vpcId: optional(text),
      headroom: optional(number),
    }),
  ),
  cloudFirewall: optional(firewallTarget),
  enforcedElsewhere: optional(anyText),
};

/** A list of addresses as a prop. */
export const listedAddresses = object<ListedAddresses>(
  'a list: an object with version and entries',
  {
    version: required(text),
    entries: required(
      list(
        'entries',
        object<ListedAddress>('an object with address, state, firstSeen and source', {
          address: required(text),
          state: required(oneOf(...ADDRESS_STATES)),
          firstSeen: required(text),
          source: required(text),
        }),
      ),
    ),
    shrinkException: optional(exception),
  },
);
