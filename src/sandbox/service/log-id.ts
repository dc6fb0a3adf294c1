import { randomBytes } from 'node:crypto';

/** A log id as the service writes them: the time to the second and 20 hexadecimal digits. */
export function newLogId(now: number): string {
  const time = new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${time}${randomBytes(10).toString('hex').toUpperCase()}`;
}
