import { isMarked } from '../../../terraform/plan-json.js';
import { isIdentifier } from '../address.js';
import { isUnknown, type Json, object, text } from '../json.js';
import { identifierType } from '../state-references.js';
import { ONE_OF } from '../terraform-json.js';
import { assignMembers } from './members.js';
import type { Place } from './scopes.js';
import { type Source, type Sources, sourceType } from './sources.js';

/** An attribute, or a part of one, that only the deploy knows in full. */
export interface Unfilled {
  /** As the plan has it: `true` in `unknown` where the value has nothing. */
  readonly value: unknown;
  readonly unknown: unknown;
  /** The name of the attribute, or of the member. */
  readonly name: string;
  /** The words for it, by which it is told from all others. */
  readonly where: string;
  readonly isList: boolean;
}

/** Fills in what only the deploy knows: by the reference that it is, or by a text that says what it may be. */
export class Filler {
  constructor(
    private readonly sources: Sources,
    private readonly place: Place,
  ) {}

  /** @returns undefined where nothing is given: the cloud fills it in */
  fill(part: Unfilled, expression: unknown): unknown {
    const { constant_value: written, references } = object(expression);
    if (!isMarked(part.unknown)) return part.value;
    if (written !== undefined && references !== undefined) return this.#written(part, written);
    const sources = this.sources.of(expression, this.place);
    return isIdentifierOf(part.name, sources) ? fillFrom(part, sources) : unfollowed(part, sources);
  }

  /** Fills in by what JSON says, word for word: it tells which member of it is which of the plan's. */
  #written(part: Unfilled, written: unknown): unknown {
    const { value, unknown, where } = part;
    if (!isMarked(unknown) || isNone(written)) return isNone(written) ? undefined : value;
    if (isUnknown(written)) return fillFrom(part, this.#of(written));
    if (Array.isArray(written)) {
      const inner = { ...part, isList: false };
      const all: readonly unknown[] = written;
      if (!Array.isArray(value) || !Array.isArray(unknown)) {
        return all.map((one, i) =>
          this.#written({ ...inner, value: one, unknown: true, where: `${where}[${i}]` }, one),
        );
      }
      const assigned = assignMembers(all, value, unknown, (one) => this.#of(one).length > 0);
      return value.map((one: unknown, i) => {
        const [only, ...others] = assigned[i] ?? [];
        const member = {
          ...inner,
          value: one,
          unknown: unknown[i] as unknown,
          where: `${where}[${i}]`,
        };
        return only !== undefined && others.length === 0
          ? this.#written(member, only)
          : fillFrom(
              member,
              (assigned[i] ?? []).flatMap((it) => this.#of(it)),
              'ambiguous',
            );
      });
    }
    const names = Object.keys({ ...object(value), ...object(written) });
    if (object(written) !== written) return written;
    return withoutNone(names, (name) =>
      this.#written(memberOf(part, name), object(written)[name] ?? null),
    );
  }

  #of(written: unknown): readonly Source[] {
    return this.sources.of({ constant_value: written, references: [] }, this.place);
  }
}

/** Tells whether nothing that an identifier is made of is of another type, by which it may be any other one. */
function isIdentifierOf(name: string, sources: readonly Source[]): boolean {
  const wanted = identifierType(name);
  const types = sources.map(sourceType).filter((type) => type !== '');
  return wanted === undefined || types.every((type) => type === wanted);
}

/** Texts that nothing follows, in the place of whatever is not known of an attribute. */
function unfollowed(part: Unfilled, sources: readonly Source[]): unknown {
  const { value, unknown, where, isList } = part;
  if (Array.isArray(value) && Array.isArray(unknown)) {
    const marks: readonly unknown[] = unknown;
    return value.map((one: unknown, i) =>
      isMarked(marks[i]) ? unknownText(`${where}[${i}]`, sources) : one,
    );
  }
  const text = unknownText(where, sources);
  return isList ? [text] : text;
}

/** Fills in where the parts of an expression are not known, by all that it refers to. */
function fillFrom(part: Unfilled, sources: readonly Source[], isAmbiguous?: 'ambiguous'): unknown {
  const { value, unknown, name, where, isList } = part;
  if (!isMarked(unknown)) return value;
  if (Array.isArray(unknown) && Array.isArray(value)) return fillList(part, sources);
  if (unknown !== true) {
    return withoutNone(Object.keys({ ...object(value), ...object(unknown) }), (one) =>
      fillFrom(
        memberOf(part, one),
        sourcesFor(one, sources, Object.keys(object(unknown))),
        isAmbiguous,
      ),
    );
  }
  const fitting = fittingOf(name, sources);
  const [only, ...others] = fitting;
  if (only === undefined) return undefined;
  if (others.length > 0 || isAmbiguous !== undefined) return oneOf(part, fitting);
  return isList ? [sourceText(only, name, where)] : sourceText(only, name, where);
}

/** Members of a list: texts that are as many as what they may be are all of it, in whatever order. */
function fillList(part: Unfilled, sources: readonly Source[]): unknown[] {
  const { value, unknown, name, where } = part;
  const values = value as readonly unknown[];
  const marks = unknown as readonly unknown[];
  const fitting = fittingOf(name, sources);
  const open = marks.filter((one) => one === true).length;
  const isAll = fitting.length === open || fitting.length === 1;
  let next = 0;
  return values.map((one, i) => {
    const inner = {
      ...part,
      value: one,
      unknown: marks[i],
      where: `${where}[${i}]`,
      isList: false,
    };
    if (marks[i] !== true) return fillMember(inner, sources, marks.length);
    const source = isAll ? (fitting[next] ?? fitting[0]) : undefined;
    next += 1;
    return source === undefined ? oneOf(inner, fitting) : sourceText(source, name, inner.where);
  });
}

/** An object in a list: whom a rule is for, by CIDR, group or list, is one of what the list refers to, or nobody knows which. */
function fillMember(part: Unfilled, sources: readonly Source[], members: number): unknown {
  const { value, unknown, where } = part;
  if (!isMarked(unknown) || unknown === true) return fillFrom(part, sources);
  const [known, open] = [object(value), object(unknown)];
  const peers = PEERS.filter((name) => open[name] === true);
  if (peers.length === 0) {
    const isUnclear = members > 1 && sources.length > 1 ? 'ambiguous' : undefined;
    return fillFrom(part, sources, isUnclear);
  }
  const kept = withoutNone(Object.keys({ ...known, ...open }), (name) =>
    PEERS.includes(name) && open[name] === true
      ? undefined
      : fillFrom(memberOf(part, name), sourcesFor(name, sources, Object.keys(open))),
  );
  // The CIDR comes before all others.
  if (text(known.cidr_ip) !== '' && known.cidr_ip !== null && open.cidr_ip !== true) return kept;
  const fitting = peers.flatMap((name) =>
    sourcesFor(name, sources, peers).map((source) => ({ name, source })),
  );
  const distinct = new Set(fitting.map(({ source }) => source.text));
  const [only] = fitting;
  if (only === undefined) return kept;
  if (distinct.size > 1 || fitting.length > 1) {
    return {
      ...kept,
      cidr_ip: unknownText(
        where,
        fitting.map(({ source }) => source),
      ),
    };
  }
  return { ...kept, [only.name]: sourceText(only.source, only.name, where) };
}

/** The members of a rule that say whom it is for. */
const PEERS = ['cidr_ip', 'source_group_id', 'prefix_list_id'];

/**
 * The identifier of an object fits only where one of its type belongs, or one of any; whatever else there is,
 * anywhere.
 */
function sourcesFor(
  name: string,
  sources: readonly Source[],
  siblings: readonly string[] = [],
): readonly Source[] {
  const wanted = identifierType(name);
  return sources.filter((source) => {
    const type = sourceType(source);
    const isOther = source.attribute !== undefined && !isIdentifier(source.attribute);
    if (source.address === undefined || isOther || type === '') return true;
    if (wanted !== undefined) return wanted === type;
    return isIdentifier(name) && !siblings.some((one) => identifierType(one) === type);
  });
}

/** Those that fit; where none does, whatever is written. */
function fittingOf(name: string, sources: readonly Source[]): readonly Source[] {
  const fitting = sourcesFor(name, sources);
  return fitting.length > 0 ? fitting : sources;
}

function sourceText(source: Source, name: string, where: string): string {
  if (source.address === undefined) return unknownText(where, [source]);
  if (source.attribute !== undefined) return `\${${source.text}}`;
  return identifierType(name) === undefined ? `\${${source.text}}` : `\${${source.text}.id}`;
}

/** The text for one of several groups of the stack, of which a reader takes what all of them say; of other things for none. */
function oneOf({ name, where }: Unfilled, sources: readonly Source[]): string {
  const isGroups =
    identifierType(name) === GROUP && sources.every((one) => sourceType(one) === GROUP);
  if (!isGroups) return unknownText(where, sources);
  return `\${${ONE_OF}(${sources.map(({ address }) => `${address}.id`).join(', ')})}`;
}

const GROUP = 'volcenginecc_vpc_security_group';

/** A text that no reader follows, and that is another one in each place. */
export function unknownText(where: string, sources: readonly Pick<Source, 'text'>[]): string {
  const of = [...new Set(sources.map((one) => one.text))].join(' or ');
  const words = of === '' ? where : `${where}: ${of}`;
  return `\${unknown /* ${words.replaceAll('*/', '* /')} */}`;
}

function memberOf(part: Unfilled, name: string): Unfilled {
  const { value, unknown, where } = part;
  return {
    ...{ name, where: `${where}.${name}`, isList: false },
    value: object(value)[name],
    unknown: unknown === true ? true : object(unknown)[name],
  };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function withoutNone(names: readonly string[], find: (name: string) => unknown): Json {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name);
      return isNone(value) ? [] : [[name, value]];
    }),
  );
}
