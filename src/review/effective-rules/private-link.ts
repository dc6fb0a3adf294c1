import { isUnknown, list, text } from '../read/terraform-json.js';
import { EVERYTHING } from '../sets/services.js';
import type { Reader } from './reading.js';

/** The accounts that may ask for a connection; on which ports is for the listeners to say. */
export const endpointService: Reader = ({ address, body }) => {
  const accounts = list(body.permit_account_ids).map(text);
  return {
    openings: accounts.map((name) => ({
      resource: address,
      direction: 'ingress',
      peer: { kind: 'account', name },
      services: EVERYTHING,
    })),
    problems: accounts
      .filter(isUnknown)
      .map((account) => `${address} allows an account that is not known, got: "${account}"`),
  };
};

/** A connection that is let in. */
export const endpointConnection: Reader = ({ address, body }) => {
  const name = text(body.endpoint_id);
  return {
    openings: [
      {
        resource: address,
        direction: 'ingress',
        peer: { kind: 'endpoint', name },
        services: EVERYTHING,
      },
    ],
    problems: isUnknown(name)
      ? [`${address} accepts a connection that is not known, got: "${name}"`]
      : [],
  };
};
