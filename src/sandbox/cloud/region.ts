/** The one region that the sandbox has. */
export const REGION = 'cn-beijing';

export const ZONES: readonly string[] = ['cn-beijing-a', 'cn-beijing-b', 'cn-beijing-c'];

/** The account that owns everything in the sandbox. */
export const ACCOUNT_ID = '2100000000';

/** The account of the AI-agent service: it owns the endpoints of private plugins. */
export const SERVICE_ACCOUNT_ID = '2100000001';
