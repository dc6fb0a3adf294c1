import type { SeenId } from '../../reach/seen.js';

/** A way in which the cloud treats a deploy otherwise than its documentation says. */
interface CloudFault {
  readonly name: string;
  readonly about: string;
  /** The row of what was seen on the real cloud. @default - none; it is harder than that */
  readonly seen?: SeenId;
}

/** Faults of the cloud itself, which a deploy meets and no check sees. */
export const CLOUD_FAULTS = [
  {
    name: 'cloud-busy',
    about:
      'InvalidOperation.Conflict for a security group while its VPC is younger than 10 s and its subnets are not made',
    seen: 'group-conflict',
  },
  {
    name: 'cloud-busy-once',
    about: 'InvalidOperation.Conflict for the first security group that is made',
  },
  {
    name: 'cloud-busy-writes',
    about: 'InvalidOperation.Conflict for the first try of each create, update and delete',
  },
  {
    name: 'default-rule-kept',
    about: 'a new security group accepts everything outward beside its rules, until an update',
    seen: 'group-default-rule',
  },
  {
    name: 'sets-reordered',
    about: 'every set is read in another order than it was written',
    seen: 'set-order',
  },
  {
    name: 'slow-objects',
    about: 'an endpoint takes 15 s to make, an endpoint service 29 s',
    seen: 'slow-objects',
  },
  { name: 'empty-reads-null', about: 'empty sets are not there when read', seen: 'empty-null' },
] as const satisfies readonly CloudFault[];

export type CloudFaultName = (typeof CLOUD_FAULTS)[number]['name'];

/** The faults that the real cloud was seen to have. */
export const LIKE_REAL = CLOUD_FAULTS.filter((fault) => 'seen' in fault).map(({ name }) => name);
