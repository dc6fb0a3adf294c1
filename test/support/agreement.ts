import { expect } from 'vitest';
import type { LinkResult } from '../../src/verify/model/verification.js';

/** By what is ruled out: the causes that cannot stand beside it. A text without a row is a mistake. */
const CONTRADICTIONS: readonly (readonly [ruledOut: RegExp, causes: RegExp])[] = [
  [
    /^the network between here/,
    /^(dns|address|tcp|tls|route|path|proxy|endpoint)\.|^host\.(?!clock)/,
  ],
  [
    /^the network, for small/,
    /^(dns|tcp|tls|route|proxy)\.|^path\.(?!mtu|filter)|^host\.(?!clock)/,
  ],
  [/^the route/, /^(tcp|route)\.|^host\.(egress|outside-network)/],
  [/security group/, /^endpoint\.(security-group|not-accepted)|^host\.egress/],
  [/certificate$/, /^tls\.|^path\.(private-authority|inspection)/],
  [/^the endpoint,/, /^endpoint\.(?!stale-record|replaced)|^route\./],
  [/^the path to the proxy$/, /^proxy\.(refused|unreachable)|^tcp\./],
  [/^DNS server failure/, /^dns\.(timeout|server-failed|other-resolver)/],
  [/^the server name/, /^tls\.server-name|^path\.name-filter/],
  [/^this machine’s clock/, /^host\.clock/],
];

/** Expects that what is ruled out is no cause in the same breath, and that only a failure has either. */
export function expectAgreement({ causes, ruledOut, stages }: LinkResult): void {
  for (const { text } of ruledOut) {
    const rows = CONTRADICTIONS.filter(([pattern]) => pattern.test(text));
    expect(rows, `no row for "ruled out: ${text}"`).not.toEqual([]);
    const wrong = causes.filter(({ code }) => rows.some(([, pattern]) => pattern.test(code)));
    expect(
      wrong.map(({ code }) => code),
      `causes beside "ruled out: ${text}"`,
    ).toEqual([]);
  }
  const hasFailed = stages.some(({ status }) => status === 'failed');
  if (!hasFailed) expect([...causes, ...ruledOut]).toEqual([]);
}
