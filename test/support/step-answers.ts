import { expect } from 'vitest';
import * as z from 'zod';
import { remember } from '../../src/lists/remember.js';
import { answerQuestion, joinAnswers } from '../../src/reach/questions/answer.js';
import type { Reachability } from '../../src/reach/report-schema.js';
import type { Reached } from '../../src/reach/ways/doors.js';
import { findOrders } from '../../src/rehearse/orders/other-findings.js';
import { type RehearsalReport, rehearsalSchema } from '../../src/rehearse/report-schema.js';
import type { Passage } from '../../src/rehearse/timeline/account.js';
import { THROUGH_FIREWALL } from '../../src/rehearse/ways/place-names.js';
import { readWays, withAddresses } from '../../src/rehearse/ways/ways.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { Random } from '../reach/differential/random.js';
import { packetsOf, samplesOf } from './one-answer.js';

/** Whatever of a report has packets, with the steps that it is about. */
interface Place {
  readonly path: string;
  readonly text: string;
  readonly packets: readonly { identity: string[]; from?: number | undefined }[];
  readonly kind: string;
  readonly from?: number;
  readonly until?: number;
  /** Of what a step does. */
  readonly number?: number;
}

/** Finds everything with packets in a report. */
function placesIn(part: unknown, path = '', number?: number): Place[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = { ...(number !== undefined && { number }), ...part } as Place;
  const inside = Object.entries(part).flatMap(([name, one]) =>
    placesIn(one, Array.isArray(part) ? path : `${path}.${name}`, own.number),
  );
  return 'packets' in part ? [{ ...own, path }, ...inside] : inside;
}

/** The paths of everything that the schema of a report gives packets, in a deploy or a rollback alike. */
export function packetPaths(): Set<string> {
  const pathsIn = (part: unknown, path: string): string[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { properties, ...others } = part as { readonly properties?: object };
    return [
      ...(properties !== undefined && 'packets' in properties ? [path] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, one]) => pathsIn(one, `${path}.${name}`)),
      ...Object.values(others).flatMap((one) => pathsIn(one, path)),
    ];
  };
  const paths = pathsIn(z.toJSONSchema(rehearsalSchema), '');
  return new Set(paths.map((path) => path.replace(/^\.(?:head|rollback)/, '')));
}

/** What the texts of a report have to do with packets: such a text has them. */
const OF_PACKETS = /\bcan(?:not| no longer)? (?:reach|connect|ask)\b/;

/** Every text in a report with the packets beside it. */
function textsIn(part: unknown, around: object = {}): { text: string; around: object }[] {
  if (typeof part === 'string') return [{ text: part, around }];
  if (typeof part !== 'object' || part === null) return [];
  return Object.values(part).flatMap((one) => textsIn(one, Array.isArray(part) ? around : part));
}

type Reported = Pick<RehearsalReport, 'findings' | 'summary'> & {
  readonly timeline: RehearsalReport['head']['timeline'];
};

/** Reads the ways of a state, which a question can call by identifiers and by Terraform's addresses. */
export function seeStates({ trees, service, standIns, addresses }: Passage) {
  const named = (text: string) => withAddresses(text, addresses);
  return remember((cloud: CloudState): Reached => {
    const reached = readWays(cloud, trees, service, standIns, addresses);
    const ways = reached.ways.map((way) => {
      const own = way.names.flatMap((name) => [
        named(name),
        name.replace(/^\w+\.([\w-]+)/, (whole, id) => `${named(whole)} (${id})`),
      ]);
      return { ...way, names: [...way.names, ...own] };
    });
    return { ...reached, ways };
  });
}

/**
 * Asks `reach` about the packets of everything in a report that has some, at the steps that it is about: three of each
 * set, its first and its last. Every text of a report that words packets has them.
 *
 * @returns how many packets were asked, by the paths of what has them
 */
export function expectStepAnswers(
  { findings, summary, timeline }: Reported,
  passage: Passage,
): Readonly<Record<string, number>> {
  const random = new Random(1);
  const places = placesIn({ findings, timeline });
  for (const { text, around } of textsIn({ findings, summary, timeline }))
    if (OF_PACKETS.test(text) && !('packets' in around))
      expect(
        places.some((place) => text.includes(place.text)),
        text,
      ).toBe(true);
  const { before, steps } = passage;
  const see = seeStates(passage);
  const states = [before, ...steps.map(({ cloud }) => cloud)];
  const others = findOrders(passage).states.map(({ cloud }) => cloud);
  const asked: Record<string, number> = {};
  for (const { path, text, packets, kind, number, from = number, until = number } of places) {
    for (const one of packets) {
      const packet = packetsOf(one);
      const end = (until ?? states.length) + Number(number !== undefined);
      const during = from === undefined ? others : states.slice(one.from ?? from, end);
      if (packet.kind !== 'addresses') continue;
      const { direction, subject, family, via } = packet;
      for (const { value, services } of samplesOf(packet, random)) {
        const peer = { kind: 'addresses', family, first: value, last: value } as const;
        const answersIn = (cloud: CloudState): Reachability[] => {
          const all = answerQuestion([see(cloud)], { direction, subject, peer, services });
          const answers = all.map(({ answer }) => answer);
          return [joinAnswers(answers), ...answers];
        };
        if (
          via.startsWith(THROUGH_FIREWALL) &&
          !during.every((cloud) => answersIn(cloud).length > 1)
        )
          continue;
        const isOpen = (cloud: CloudState) => answersIn(cloud).some((one) => one !== 'closed');
        // A place that is gone, of several with one name, lets nothing through.
        const isFewer = (cloud: CloudState) =>
          via.startsWith('through ') && answersIn(cloud).length < answersIn(before).length;
        const isClosed = (cloud: CloudState) =>
          isFewer(cloud) || answersIn(cloud).some((one) => one !== 'reachable');
        const says = `${kind}: ${text} / ${value} ${JSON.stringify(services)} via ${via}`;
        const is = packet.effect === 'widens' ? isOpen : isClosed;
        if (from === undefined) expect(during.some(is), says).toBe(true);
        else expect(during.map(is), says).toEqual(during.map(() => true));
        asked[path] = (asked[path] ?? 0) + 1;
      }
    }
  }
  return asked;
}
