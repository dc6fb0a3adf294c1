import type { Finding, StageName } from '../../verification.js';

/** What stands at each stage of the way. */
export const PLACES: Record<StageName, string> = {
  preflight: 'This machine',
  dns: 'Name',
  address: 'Address',
  tcp: 'Connection',
  tls: 'TLS',
  http: 'Service',
  token: 'Token',
  workspaces: 'API',
  chat: 'Chat',
};

/** The stages that each address goes through by itself. */
const ON_WAY: readonly StageName[] = ['address', 'tcp', 'tls', 'http'];

/** The way of a link: alone, then side by side for each address, then alone again. */
export interface Hops {
  readonly before: readonly Finding[];
  readonly ways: readonly (readonly Finding[])[];
  readonly after: readonly Finding[];
}

export function hopsOf(findings: readonly Finding[]): Hops {
  const onWay = findings.filter(({ stage }) => ON_WAY.includes(stage));
  const addresses = [...new Set(onWay.flatMap(({ address }) => address ?? []))];
  const first = findings.findIndex(({ stage }) => ON_WAY.includes(stage));
  const rest = findings.filter(({ stage }) => !ON_WAY.includes(stage));
  const before = rest.filter((finding) => first < 0 || findings.indexOf(finding) < first);
  const wayOf = (address: string | undefined) =>
    ON_WAY.flatMap((stage) => {
      const ofStage = onWay.filter((finding) => finding.stage === stage);
      // A stage that no address reached has one finding, which stands for all of them.
      const own = ofStage.find((finding) => finding.address === address);
      return own ?? ofStage.find((finding) => finding.address === undefined) ?? [];
    });
  return {
    before,
    ways: (addresses.length === 0 ? [undefined] : addresses).map(wayOf),
    after: rest.filter((finding) => !before.includes(finding)),
  };
}
