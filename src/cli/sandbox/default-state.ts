/** Where a sandbox keeps its state unless another folder is given. */
export const DEFAULT_STATE = '.sandbox';
