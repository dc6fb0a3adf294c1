import type { AccessModel } from '../access/access-model.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { type CidrOpening, cidrOpenings, serviceText } from './opening.js';

/**
 * The one opening of a list: what the list is for stands in the firewall's own rule, so that a list
 * of several services would open each address for all of them.
 *
 * @throws ConnectivityError `render.unsupported`
 */
export function onlyOpening(model: AccessModel, target: string): CidrOpening {
  const openings = cidrOpenings(model, target);
  const [only] = openings;
  if (only !== undefined && openings.length === 1) return only;
  const all = openings.map((opening) => `${opening.subject} ${serviceText(opening)}`).join('; ');
  throw new ConnectivityError(
    'render.unsupported',
    `\`${target}\` holds the addresses of one subject, direction, protocol and port, got: ${all}; choose with --rules subject=NAME,direction=egress,port=443`,
  );
}
