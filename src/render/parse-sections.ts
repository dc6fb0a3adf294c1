import { ACCESS_SCHEMA, type AccessModel } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { parseCidr } from '../net/cidr.js';
import { ALL_PORTS, cidrOpenings, type Opening, openingsOf } from './opening.js';
import { headerValue, requireSameLines, unreadable } from './same-lines.js';

interface Sections {
  readonly target: string;
  readonly render: (model: AccessModel) => string;
  /** The addresses of a text with the name of the set that each is in. */
  readonly elements: (text: string) => readonly { set: string; cidr: string }[];
  /** Direction, protocol, first port and, where it is another, last port of a set's name. */
  readonly serviceOf: (set: string) => RegExpExecArray | null;
}

/** Reads a text that keeps its addresses in named sets, and requires the rest to be as rendered. */
export function parseSections(text: string, sections: Sections): Opening[] {
  const { target, render, elements } = sections;
  const stack = headerValue(target, text, 'stack');
  const subject = headerValue(target, text, 'subject');
  const openings = readable(target, () =>
    elements(text).map(({ set, cidr }) => openingIn(sections, subject, set, cidr)),
  );
  const model = modelOf(stack, openings);
  const written = readable(target, () => render(model));
  requireSameLines(target, text, written);
  return openingsOf(cidrOpenings(model, target));
}

/** A model that opens this, for rendering it again. */
export function modelOf(stack: string, openings: readonly Opening[]): AccessModel {
  const rules = openings.map(
    (opening): AccessRule => ({ ...opening, via: 'fixed-ip', reason: 'read from a file' }),
  );
  return { schema: ACCESS_SCHEMA, stack, digest: '', rules };
}

/** Whatever goes wrong while reading says that the text was edited. */
export function readable<T>(target: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConnectivityError && error.code === 'render.unreadable') throw error;
    throw unreadable(target, undefined, error instanceof Error ? error.message : String(error));
  }
}

function openingIn(
  { target, serviceOf }: Sections,
  subject: string,
  set: string,
  cidr: string,
): Opening {
  const [, direction, protocol, first, last = first] = serviceOf(set) ?? [];
  if (direction === undefined || protocol === undefined) throw unreadable(target, undefined, set);
  return {
    subject,
    direction: direction as Opening['direction'],
    protocol: protocol as Opening['protocol'],
    ports: first === undefined ? ALL_PORTS : { first: Number(first), last: Number(last) },
    peer: { kind: 'cidr', cidr: parseCidr(cidr).text },
  };
}
