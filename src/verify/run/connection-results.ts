import type { Code } from '../../codes/codes.js';
import type { Connection } from '../../link/link.js';
import type { ConnectionResult } from '../model/verification.js';

const WAITING: readonly string[] = ['PendingAcceptance', 'Connecting'];
const CUT: readonly string[] = ['Rejected', 'Disconnecting'];

/** What the deploy said of connections; nothing of it was seen by the check. */
export function connectionResults(connections: readonly Connection[]): ConnectionResult[] {
  return connections.map(({ name, serviceId, endpointId, ownerAccountId, status }) => {
    const code = codeOf(status);
    return {
      name,
      serviceId,
      endpointId,
      ownerAccountId,
      status,
      asOf: 'deploy',
      ...(code !== undefined && { code }),
    };
  });
}

function codeOf(status: string): Code | undefined {
  if (status === 'Connected') return undefined;
  if (WAITING.includes(status)) return 'connection.pending';
  return CUT.includes(status) ? 'connection.rejected' : 'connection.failed';
}
