import type { ConnectionResult, Verification } from '../model/verification.js';

type Counted = Pick<Verification, 'links' | 'connections'>;

/** The state of a connection, in words that claim nothing of now. */
export function connectionState({ status }: ConnectionResult): string {
  return `${status} at deploy time (not re-checked)`;
}

export function connectionPath(connection: ConnectionResult): string {
  const { endpointId, ownerAccountId, serviceId } = connection;
  return `${endpointId} of ${ownerAccountId} to ${serviceId}`;
}

/** Those first that the deploy did not leave connected. */
export function worstFirst(connections: readonly ConnectionResult[]): ConnectionResult[] {
  return [...connections].sort((a, b) => Number(!a.code) - Number(!b.code));
}

/** How many links are reachable, and how many connections were connected at deploy time. */
export function counts({ links, connections = [] }: Counted): string {
  const reachable = links.filter(({ verdict }) => verdict === 'reachable').length;
  const connected = connections.filter(({ code }) => code === undefined).length;
  return [
    links.length > 0 && `${reachable} of ${links.length} ${plural(links.length, 'link')} reachable`,
    connections.length > 0 &&
      `${connected} of ${connections.length} plugin ${plural(connections.length, 'connection')} connected at deploy time`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** The outcome in one line: the verdict is of the links alone. @param verdict in the words of the report */
export function headline({ links, connections = [] }: Counted, verdict: string): string {
  const lost = connections.filter(({ code }) => code !== undefined).length;
  const seen = links.length > 0 ? verdict : 'no link checked';
  if (lost === 0) return seen;
  const all = `${connections.length} plugin ${plural(connections.length, 'connection')}`;
  return `${seen}, but ${lost} of ${all} not connected at deploy time`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
