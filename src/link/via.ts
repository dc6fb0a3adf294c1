/** The ways that a link can take to the service's API; apart from the schema, so that help loads no zod. */
export const VIAS = ['private-network', 'fixed-ip', 'internet'] as const;
export type Via = (typeof VIAS)[number];
