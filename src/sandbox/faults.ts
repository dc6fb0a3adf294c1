import type { Fault } from './fault.js';
import { CHAT_FAULTS } from './faults/chat-faults.js';
import { CONNECTION_FAULTS } from './faults/connection-faults.js';
import { HANDSHAKE_FAULTS } from './faults/handshake-faults.js';
import { NAME_FAULTS } from './faults/name-faults.js';
import { OPTION_FAULTS } from './faults/option-faults.js';
import { SERVICE_FAULTS } from './faults/service-faults.js';

/** Every fault that the sandbox can have, along the way to the service. */
export const FAULTS = [
  ...NAME_FAULTS,
  ...CONNECTION_FAULTS,
  ...HANDSHAKE_FAULTS,
  ...SERVICE_FAULTS,
  ...CHAT_FAULTS,
  ...OPTION_FAULTS,
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'];

export function isFaultName(text: string): text is FaultName {
  return FAULTS.some(({ name }) => name === text);
}
