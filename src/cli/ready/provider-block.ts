import type { Settings } from '../../settings/schema.js';

/** The provider block that stacks of the settings have. */
export function providerBlock({ region, assumeRole: role }: Settings) {
  if (role === undefined) return { region };
  const { trn, durationSeconds } = role;
  return { region, assume_role: { assume_role_trn: trn, duration_seconds: durationSeconds } };
}
