import { type Facts, probesOf } from './facts.js';

/** What the service refuses a JWT with. Any other error comes after it has taken the JWT, or says nothing of it. */
const REFUSALS: readonly string[] = ['token.invalid-client', 'token.kid-unknown'];

/** What came of the JWT that was signed once more, by the server's clock; undefined where none was. */
export function resigned(facts: Facts): 'accepted' | 'refused' | 'undecided' | undefined {
  const [probe] = probesOf(facts, 'server-time');
  if (probe === undefined) return undefined;
  if (probe.ok) return 'accepted';
  return REFUSALS.includes(probe.code ?? '') ? 'refused' : 'undecided';
}
