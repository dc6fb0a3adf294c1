import * as z from 'zod';
import { ADDRESS_STATES } from '../../net/address-list.js';
import { API_PORTS, HEADROOM, PRIORITY } from '../defaults.js';
import { day, exception, idField, name, networks, port } from '../fields.js';

/** A list of addresses that the vendor keeps. */
const addresses = z.strictObject({
  version: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be a date or number: letters, digits, `.`, `_`, `-`')
    .describe('the version that the vendor gave the list; becomes the tag list-version'),
  entries: z
    .array(
      z.strictObject({
        address: z.string().describe('an IPv4 address, or a network no larger than a /24'),
        state: z
          .enum(ADDRESS_STATES)
          .default('active')
          .describe('all but removed are allowed, so that a change has no gap'),
        firstSeen: day.describe('when it first appeared in the list'),
        source: z.string().min(1).describe('where it was read'),
      }),
    )
    .describe('the addresses'),
  shrinkException: exception
    .optional()
    .describe('allows the list to shrink by more than a quarter at once'),
});

const prefixList = z.strictObject({
  vpcId: idField('vpc')
    .optional()
    .describe('VPC of a new security group with one rule for the whole list; default: no group'),
  headroom: z.int().min(0).max(199).default(HEADROOM).describe('spare entries'),
});

/**
 * Returns the settings of enforcement besides a security group.
 *
 * @param own what the networks on this side of a Cloud Firewall are
 */
function targets(own: string) {
  return {
    prefixList: prefixList.optional().describe('a new prefix list'),
    cloudFirewall: z
      .strictObject({
        own: networks.describe(own),
        close: z
          .boolean()
          .describe(
            'whether a deny policy follows at the lowest priority; without one the accept policies restrict nothing',
          ),
        firewallId: z.string().min(1).optional().describe("default: the account's only firewall"),
        priority: z
          .int()
          .min(1)
          .default(PRIORITY)
          .describe('position of the accept policies when they are created'),
      })
      .optional()
      .describe('policies on an existing Cloud Firewall'),
    enforcedElsewhere: z
      .string()
      .min(1)
      .optional()
      .describe(
        'what enforces the rules if no target does, in your own words; default: a target is required',
      ),
  };
}

export const fixedIpEgress = z.strictObject({
  name: name.describe('prefix for the names of the resources'),
  baseUrl: z
    .url({ protocol: /^https$/, error: 'must be an https URL, host and port only' })
    .describe("the service's fixed-IP API base URL"),
  addresses: addresses.optional().describe('default: the dated list of this package'),
  ports: z
    .array(port)
    .min(1)
    .default([...API_PORTS])
    .describe('TCP ports'),
  dnsServers: networks
    .optional()
    .describe(
      'DNS servers that the new security groups, or the enforcement elsewhere, must allow; default: none',
    ),
  securityGroup: z
    .strictObject({
      vpcId: idField('vpc').optional().describe('default: the VPC of `network`'),
    })
    .optional()
    .describe('a new group with one rule per address'),
  ...targets('your public addresses, which the calls come from'),
});

export const fixedIpIngress = z.strictObject({
  name: name.describe('prefix for the names of the resources'),
  backend: name.describe("the plugin's backend"),
  addresses: addresses.describe('the list that the vendor provides on request'),
  ports: z.array(port).min(1).describe("the backend's TCP ports"),
  securityGroup: z
    .strictObject({ vpcId: idField('vpc').describe('VPC of the group') })
    .optional()
    .describe('a new group with one rule per address, to attach to the backend'),
  ...targets("the backend's public addresses"),
});
