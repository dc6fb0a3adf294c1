import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/** A connection of the service to a private plugin, as the deploy left it; later on it may differ. */
export const connectionSchema = z.strictObject({
  /** Tells the plugins of one stack apart. */
  name: text,
  serviceId: text,
  endpointId: text,
  /** The account that was asserted to own the endpoint before it was accepted. */
  ownerAccountId: text,
  /** The cloud's word for the state when the deploy ended: `Connected`. */
  status: text,
});

export type Connection = z.infer<typeof connectionSchema>;
