import { safeText } from '../../codes/redact.js';

/** Bytes that an error quotes. */
const SHOWN_BYTES = 60;

/** The frame with which HTTP/2 begins. */
const SETTINGS = /^000...040000000000/;

export const HTTP2_FRAME = 'a frame of HTTP/2';

/** Says what bytes are that are no answer in HTTP/1.1. */
export function describeBytes(bytes: Buffer): string {
  if (SETTINGS.test(bytes.toString('hex', 0, 9))) return HTTP2_FRAME;
  const text = safeText(bytes.toString('latin1', 0, SHOWN_BYTES)).trim();
  return text === '' ? `${bytes.length} bytes` : `"${text}"`;
}
