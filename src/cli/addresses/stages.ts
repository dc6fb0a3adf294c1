/** The stages of a change, in order. */
export const STAGES = ['announce', 'overlap', 'retire'] as const;
export type Stage = (typeof STAGES)[number];
