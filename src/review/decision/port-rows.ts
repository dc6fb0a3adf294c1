import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { join } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';

/**
 * Names the row that findings have in common where one listener of a stack moves to another port, and whoever was let
 * in to the old one is let in to the new one. What differs by more than the port has a row of its own.
 */
export function namePortRows(findings: readonly Finding[]): Finding[] {
  const moves = groupBy(findings.filter(isMove), ({ stack }) => stack);
  const rows = [...moves].flatMap(([of, [moved, ...more]]) => {
    const own = findings.filter(({ kind, stack }) => kind === 'access' && stack === of);
    const atListener = own.filter(({ resource }) => resource === moved.resource);
    const [first] = atListener;
    if (first === undefined || more.length > 0 || !isOnePort(atListener, first)) return [];
    // Who asks for a connection, and is accepted, gets to the listeners that there are.
    const linked = own.filter(({ identity: [, via, , , kind = ''] }) => {
      return via === first.identity[1] && ['account', 'endpoint'].includes(kind);
    });
    const all = [...atListener, ...(isOnePort(linked, first) ? linked : [])];
    const [, , , name] = (all.at(-1) ?? first).identity;
    const port = first.after.replace(/^\w+ /, '');
    const row = `${name}: ${first.before} → ${port}; ${moved.consequence}`;
    return [moved, ...all].map((one) => [one, row] as const);
  });
  const named = new Map(rows);
  return findings.map((one) => ({ ...one, ...(named.has(one) && { row: named.get(one) }) }));
}

function isMove({ kind, resource, identity }: Finding): boolean {
  const isListener = resource.startsWith('volcenginecc_clb_listener.');
  return isListener && kind === 'disruption' && identity.join() === 'replaced,port';
}

/** Tells whether the same peers of one subject get to one port of a protocol before, and to another after. */
function isOnePort(rows: readonly Finding[], { before, after }: Finding): boolean {
  const [was, now] = [before, after].map((text) => /^(tcp|udp) \d+$/.exec(text)?.[1]);
  const peers = groupBy(rows, ({ identity }) => JSON.stringify(identity.slice(1, 7)));
  const effects = [...peers.values()].map((both) => both.map(({ identity }) => identity[0]).sort());
  const isAlike = ({ exception, passes, ...one }: Finding) =>
    one.before === before &&
    one.after === after &&
    exception === undefined &&
    passes?.before !== (passes?.after ?? 'none');
  return (
    was !== undefined &&
    was === now &&
    new Set(rows.map(({ identity }) => identity[3])).size === 1 &&
    effects.every((both) => both.join() === 'narrows,widens') &&
    rows.every(isAlike)
  );
}

/** Groups findings by their row; one without is alone. */
export function groupRows<T extends { readonly stack: string; readonly row?: string | undefined }>(
  findings: readonly T[],
): NonEmpty<T>[] {
  const alike = groupBy(findings, (one) => (one.row ? JSON.stringify([one.stack, one.row]) : one));
  return [...alike.values()];
}

/** Makes the findings of one row one, for people; programs have them all. */
export function foldRows(findings: readonly Finding[]): Finding[] {
  return groupRows(findings).map((same): Finding => {
    const [{ packet, passes, addresses, isReasonOld, ...first }] = same;
    if (first.row === undefined) return same[0];
    const all = (texts: readonly (string | undefined)[]) => join(', ', ...new Set(texts));
    const opened = same.filter(({ identity }) => identity[0] === 'widens');
    return {
      ...first,
      ...{ who: all(same.map(({ who }) => who)), what: first.row },
      resource: all(same.map(({ resource }) => resource)),
      reason: all(opened.map(({ reason = 'no reason' }) => reason)),
      ...(opened.every((one) => one.isReasonOld) && { isReasonOld }),
    };
  });
}
