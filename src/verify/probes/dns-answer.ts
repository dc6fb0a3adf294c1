import { transportCode } from '../../service/http/transport-code.js';
import type { Evidence } from '../model/verification.js';
import type { Resolution } from '../transport/names/resolve-name.js';

/** A name that does not exist is an answer, a server that fails is none. */
export function answerIn(code: string | undefined, { addresses }: Evidence): string | undefined {
  if (code === 'dns.not-found') return 'no address';
  return addresses === undefined ? undefined : String(addresses);
}

/** @returns the same form for a question that is asked now; the code of a failure */
export async function saidOf(ask: () => Promise<Resolution>): Promise<string> {
  try {
    const { addresses } = await ask();
    return addresses.join(', ');
  } catch (error) {
    const code = transportCode(error, 'dns');
    return code === 'dns.not-found' ? 'no address' : code;
  }
}
