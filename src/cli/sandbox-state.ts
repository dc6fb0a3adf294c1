/** Where a sandbox keeps its state unless it is told otherwise. */
export const DEFAULT_STATE = '.sandbox';
