import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import type { Verdict } from '../../reach/packet-rule.js';
import { isFirewall, splitOwnSides } from '../../reach/rules/own-sides.js';
import { EVERYONE } from '../../reach/rules/peers.js';
import type { RuleList } from '../../reach/rules/reading.js';
import { EVERYTHING } from '../../reach/sets/services.js';

/**
 * Splits firewalls by their own sides. What no policy decides passes, without any policy all, and what stays within
 * the cloud a firewall does not see.
 */
export function splitFirewalls(states: readonly (readonly RuleList[])[]): RuleList[][] {
  return splitOwnSides(states).map((lists) =>
    lists.map((list) =>
      isFirewall(list) ? { ...list, rules: [WITHIN, ...list.rules, PASSES] } : list,
    ),
  );
}

const PASSES: Verdict = {
  ...{ priority: Number.POSITIVE_INFINITY, isAccept: true, peers: EVERYONE },
  ...{ services: EVERYTHING, resource: '', text: 'no policy decides' },
};

const WITHIN: Verdict = {
  ...{ ...PASSES, priority: Number.NEGATIVE_INFINITY },
  ...{ peers: PRIVATE_NETWORKS.map((network) => ({ kind: 'addresses', ...network })) },
};
