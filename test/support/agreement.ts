import { expect } from 'vitest';
import { reasonOfCause } from '../../src/codes/stated.js';
import type { LinkResult } from '../../src/verify/model/verification.js';

/** By what is ruled out: the reasons that cannot stand beside it. A text without a row is a mistake. */
const CONTRADICTIONS: readonly (readonly [ruledOut: RegExp, causes: RegExp])[] = [
  [
    /^the network between here/,
    /^(dns|address|tcp|tls|path|proxy|endpoint)\.|^host\.(?!clock)|^server\.(no-target|other-service)$/,
  ],
  [/^the route/, /^tcp\.|^path\.partial: one IP family|^host\.(egress|outside-network)/],
  [/security group/, /^endpoint\.(security-group|not-accepted)|^host\.egress/],
  [/certificate$/, /^tls\.|^path\.inspection/],
  [/^the endpoint,/, /^endpoint\.|^server\.(no-target|other-service)$|^tcp\./],
  [/^the path to the proxy$/, /^proxy\.refused|^tcp\./],
  [/^DNS server failure/, /^dns\.(server-failed(?!: one)|other-resolver$)/],
  [/^the server name/, /^tls\.server-name|^path\.name-filter/],
  [/^this machine’s clock/, /^host\.clock$/],
];

/** Expects that what is ruled out is no cause in the same breath, and that only a failure has either. */
export function expectAgreement({ causes, ruledOut, stages }: LinkResult): void {
  for (const { text } of ruledOut) {
    const rows = CONTRADICTIONS.filter(([pattern]) => pattern.test(text));
    expect(rows, `no row for "ruled out: ${text}"`).not.toEqual([]);
    const reasons = causes.map((cause) => `${reasonOfCause(cause)}`);
    const wrong = reasons.filter((reason) => rows.some(([, pattern]) => pattern.test(reason)));
    expect(wrong, `causes beside "ruled out: ${text}"`).toEqual([]);
  }
  const hasFailed = stages.some(({ status }) => status === 'failed');
  if (!hasFailed) expect([...causes, ...ruledOut]).toEqual([]);
}
