// Defaults and limits that a setting and a construct share. Apart from the schema, so that constructs do not load it.

/** Existing security groups of an endpoint, which has one of its own besides; see the cloud's limits. */
export const MAX_MORE_GROUPS = 4;

/** Megabits per second of an accepted connection, lowest and highest. */
export const BANDWIDTH_MBPS = [100, 20_000] as const;

/** Seconds during which the check of a deploy keeps retrying transient failures. */
export const WAIT_SECONDS = 300;

/** A day. */
export const MAX_WAIT_SECONDS = 86_400;

/** Bytes of the first part of the names of what is made; the rest of the provider's 128 is left to suffixes. */
const MAX_NAME = 100;

export const NAME = /^[A-Za-z0-9\p{Script=Han}][A-Za-z0-9\p{Script=Han}._-]{0,99}$/u;

export const NAME_RULE = `must be 1 to ${MAX_NAME} bytes of letters, digits, Chinese characters (3 bytes each), \`.\`, \`_\` or \`-\`, not starting with a sign`;

/** Tells whether a text of that form is short enough in bytes as well. */
export function fitsName(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_NAME;
}

/** Key pairs that an application can have; specification, part 2.1. */
export const MAX_KEY_PAIRS = 3;

/** Spare entries of a prefix list. */
export const HEADROOM = 6;

/** Position of the accept policies of Cloud Firewall when they are created: before all others. */
export const PRIORITY = 1;

/** Share of the calls that a server gets. */
export const SERVER_WEIGHT = 100;
export const MAX_SERVER_WEIGHT = 100;

/** Size of a load balancer, where the account pays by size. */
export const LOAD_BALANCER_SPEC = 'small_1';

/** TCP ports of the service's API at its fixed addresses. */
export const API_PORTS: readonly number[] = [443];

/** Folder of the state files, relative to the project. */
export const STATE_FOLDER = '.terraform-state';
