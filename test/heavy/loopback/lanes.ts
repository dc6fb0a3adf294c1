/** Sandboxes that are used at the same time. */
export const LANES = 4;
