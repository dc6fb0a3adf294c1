import * as z from 'zod';
import { cidr, idOf, name, zone } from '../text.js';

/** A new VPC, or an existing one, which is left unchanged. */
export const network = z.union(
  [
    z.strictObject({
      name: name.describe('name of the new VPC'),
      cidr: cidr.describe('CIDR of the new VPC'),
      subnets: z.record(zone, cidr).describe('CIDR of each subnet by zone'),
    }),
    z.strictObject({
      vpcId: idOf('vpc').describe('id of the existing VPC'),
      cidrs: z.array(cidr).min(1).describe('all CIDRs of the existing VPC'),
      subnets: z
        .record(
          zone,
          z.strictObject({
            subnetId: idOf('subnet').describe('its id'),
            cidr: cidr.describe('its CIDR'),
          }),
        )
        .describe('existing subnets by zone'),
    }),
  ],
  {
    error: 'must be a new network (name, cidr, subnets) or an existing one (vpcId, cidrs, subnets)',
  },
);
