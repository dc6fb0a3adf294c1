/** The ways that a link can take to the service's API; apart from the schema, so that help loads no zod. */
export const VIAS = ['service-endpoint', 'fixed-ip-egress', 'internet'] as const;
export type Via = (typeof VIAS)[number];

/** Tells whether a way leads through an endpoint of the enterprise. */
export function hasEndpoint({ via }: { readonly via: Via }): boolean {
  return via === 'service-endpoint';
}
