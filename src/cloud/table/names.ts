/** The region of the service, North China 2; specification, part 5. */
export const REGION = 'cn-beijing';

/** A zone of that region. */
export const ZONE = new RegExp(`^${REGION}-[a-z]$`);
export const ZONE_RULE = `must be a zone of North China 2 such as ${REGION}-a`;

/** The zone that the service's endpoint service needs; specification, part 5. */
export const SERVICE_ZONE = `${REGION}-a`;

/** The pattern of ids that the cloud gives: with the prefix `vpc`, `vpc-1a2b`. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}-[a-zA-Z0-9]+$`);
}

/** The id of an account. */
export const ACCOUNT = /^\d{6,20}$/;
export const ACCOUNT_RULE = 'must be the digits of an account id';
