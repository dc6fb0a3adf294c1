import type { CloudObject, CloudReader } from '../cloud-control/cloud-reader.js';
import type { StackPlan } from './read-plan.js';

/** How many objects are read at once. */
const PARALLEL = 8;

const GOING = /^delet/i;

/** Objects of a type that the state does not have; each is listed and read once. */
interface Candidates {
  readonly listed: readonly CloudObject[];
  /** The objects with these identifiers as they are, but for those that are being deleted. */
  read(identifiers: readonly string[]): Promise<CloudObject[]>;
}

/** Looks for candidates among what one provider of the stack can read. */
export type CandidatesOf = (provider: string, cloudType: string) => Promise<Candidates>;

export function openCandidates(
  { managed }: StackPlan,
  readerOf: (provider: string) => Promise<CloudReader>,
): CandidatesOf {
  const lists = new Map<string, Promise<Candidates>>();
  return (provider, cloudType) => {
    const key = `${provider} ${cloudType}`;
    const ofType = managed.filter((object) => object.cloudType === cloudType);
    const ids = new Set(ofType.map(({ identifier }) => identifier));
    const list =
      lists.get(key) ?? readerOf(provider).then((reader) => listCandidates(reader, cloudType, ids));
    lists.set(key, list);
    return list;
  };
}

async function listCandidates(
  reader: CloudReader,
  cloudType: string,
  managed: ReadonlySet<string>,
): Promise<Candidates> {
  const details = new Map<string, Promise<CloudObject | undefined>>();
  const detail = (identifier: string) => {
    const known = details.get(identifier) ?? reader.get(cloudType, identifier);
    details.set(identifier, known);
    return known;
  };
  return {
    listed: (await reader.list(cloudType)).filter(({ identifier }) => !managed.has(identifier)),
    async read(identifiers) {
      const objects: CloudObject[] = [];
      for (let at = 0; at < identifiers.length; at += PARALLEL) {
        const batch = await Promise.all(identifiers.slice(at, at + PARALLEL).map(detail));
        objects.push(...batch.filter((object) => object !== undefined));
      }
      return objects.filter((object) => !GOING.test(readStatus(object)));
    },
  };
}

/** The status as the cloud names it; empty where the type has none. */
export function readStatus({ properties }: CloudObject): string {
  const status = properties.Status ?? properties.ConnectionStatus;
  return typeof status === 'string' ? status : '';
}

/** Whether the cloud is still at work on an object. */
export function isUnsettled(object: CloudObject): boolean {
  return /^(creating|pending|configuring|connecting|provisioning)$/i.test(readStatus(object));
}
