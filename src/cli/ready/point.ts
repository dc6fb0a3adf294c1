import { factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';

/** `unknown`: it was not, or cannot be, seen from here, and decides nothing. */
type PointStatus = 'passed' | 'failed' | 'warned' | 'unknown';

/** One thing that a deploy needs. */
export interface Point {
  readonly name: string;
  readonly status: PointStatus;
  readonly text: string;
  /** Of a point that failed, or would fail. */
  readonly code?: string;
  readonly remedy?: string;
}

export function passed(name: string, text: string): Point {
  return { name, status: 'passed', text };
}

export function unknown(name: string, text: string): Point {
  return { name, status: 'unknown', text };
}

export function failed(name: string, error: ConnectivityError): Point {
  const { code, message } = error;
  const { remedy } = factsOf(code);
  const text = safeText(message.replace(`${code}: `, '').replace(` ${remedy}`, ''));
  return { name, status: 'failed', text, code, remedy };
}

/** What some work proves; the errors that it is known for are what it finds. */
export async function prove(name: string, work: () => Promise<Point | string>): Promise<Point> {
  try {
    const found = await work();
    return typeof found === 'string' ? passed(name, found) : found;
  } catch (error) {
    if (error instanceof ConnectivityError) return failed(name, error);
    throw error;
  }
}
