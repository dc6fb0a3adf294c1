import { MARK_PREFIX, MAX_OWN_TAGS } from '../cloud/table/mark.js';
import { idPattern } from '../cloud/table/names.js';
import { NAME_RULE } from './defaults.js';
import type { Settings } from './schema.js';

/** A value that the root which calls a module gives. */
export interface ModuleVariable {
  readonly name: string;
  readonly type: 'string' | 'map(string)';
  readonly description: string;
  /** An expression of Terraform that holds for a value of the right form, and the rule in words. */
  readonly condition: string;
  readonly rule: string;
}

/** Settings whose texts may be `${var.NAME}`, and what each variable is. */
export interface ModuleSettings {
  readonly settings: Settings;
  readonly variables: readonly ModuleVariable[];
}

/** A kind of value that a variable may stand for. */
interface Kind {
  readonly what: string;
  /** @default string */
  readonly type?: 'map(string)';
  /** A value of the right form, for the schema of settings. */
  readonly sample: string;
  readonly rule: string;
  readonly condition: (variable: string) => string;
}

/** A variable in the place of a text. */
interface Place {
  readonly path: readonly string[];
  readonly variable: string;
  readonly kind: Kind;
}

const KINDS: Readonly<Record<string, Kind>> = {
  vpcId: id('vpc', 'VPC'),
  subnetId: id('subnet', 'subnet'),
  securityGroupIds: id('sg', 'security group'),
  loadBalancerId: id('clb', 'load balancer'),
  name: {
    what: 'name',
    sample: 'name',
    rule: NAME_RULE.replaceAll('`', ''),
    condition: matches('^[A-Za-z0-9\\p{Han}][A-Za-z0-9\\p{Han}._-]{0,99}$'),
  },
  project: {
    what: 'cloud project',
    sample: 'project',
    rule: 'must not be empty',
    condition: matches('.'),
  },
  tags: {
    what: 'value of a tag',
    sample: 'tag',
    rule: 'must be at most 256 characters long',
    condition: (variable) => `length(${variable}) <= 256`,
  },
};

/** The one key of `tags` where a variable has all of them. */
export const ALL_TAGS = 'all-tags-of-the-variable';

const TAG_MAP: Kind = {
  what: 'tags of every resource',
  type: 'map(string)',
  sample: 'tag',
  rule: `must have at most ${MAX_OWN_TAGS - 1} tags, with keys that do not start with ${MARK_PREFIX} and are not list-version`,
  condition: (variable) =>
    `length(${variable}) < ${MAX_OWN_TAGS} && alltrue([for key in keys(${variable}) : key != "list-version" && !startswith(key, "${MARK_PREFIX}")])`,
};

function id(prefix: string, what: string): Kind {
  return {
    what: `id of a ${what}`,
    sample: `${prefix}-1a2b`,
    rule: `must be an id such as ${prefix}-1a2b`,
    condition: matches(idPattern(prefix).source),
  };
}

function matches(pattern: string): Kind['condition'] {
  return (variable) => `can(regex(${JSON.stringify(pattern)}, ${variable}))`;
}

/** The kind of a text by its path; undefined where it must be a literal. */
function kindAt(path: readonly string[]): Kind | undefined {
  const named = path.filter((key) => !/^\d+$/.test(key));
  if (named.length === 1 && named[0] === 'tags') return TAG_MAP;
  if (named[0] === 'tags') return named.length === 2 ? KINDS.tags : undefined;
  const key = named.at(-1) ?? '';
  return named[0] === 'check' || !Object.hasOwn(KINDS, key) ? undefined : KINDS[key];
}

/** Reads the name of the variable of Terraform that a text is and nothing else. */
export type VariableReader = (text: string) => string | undefined;

const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Arguments of a call that are Terraform's own, and the variable that a module has anyway. */
const RESERVED =
  'count depends_on for_each lifecycle locals providers source version run_check'.split(' ');

/** Fields that are for the root that calls a module to say. */
const OF_ROOT: readonly (readonly [string, string])[] = [
  ['state', 'the root that calls the module has the state'],
  ['assumeRole', 'the root that calls the module configures the provider'],
  ['intents', 'they are of a whole root: give them to `reach --plan PLAN --intents FILE`'],
];

/** Appended to the mistake of an expression where a literal is required. */
export const LITERAL_IN_MODULE =
  '; a module has variables, whole texts such as ${var.vpc_id}, for ids of VPCs, subnets, security groups and load balancers, for names, the project, the tags and their values alone';

/** Takes the variables out of settings, with a value of the right form in the place of each. */
export function takeVariables(json: unknown, readVariable: VariableReader) {
  const places: Place[] = [];
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') {
      const variable = readVariable(value) ?? '';
      const kind = kindAt(path);
      if (!VARIABLE_NAME.test(variable) || kind === undefined) return value;
      const own = kind === TAG_MAP ? [...path, ALL_TAGS] : path;
      places.push({ path: own, variable, kind });
      return kind === TAG_MAP ? { [ALL_TAGS]: kind.sample } : kind.sample;
    }
    if (Array.isArray(value)) return value.map((one, i) => walk(one, [...path, String(i)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, walk(one, [...path, key])]),
    );
  };
  const literal = walk(json, []);
  return { json: literal, places, problems: [...rootProblems(json), ...placeProblems(places)] };
}

function rootProblems(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return OF_ROOT.filter(([field]) => Object.hasOwn(json, field)).map(
    ([field, why]) => `\`${field}\` must not be given for a module; remove it: ${why}`,
  );
}

function placeProblems(places: readonly Place[]): string[] {
  return places.flatMap((place, i) => {
    const { variable, kind } = place;
    const field = fieldOf(place);
    const got = `got: "\${var.${variable}}"`;
    if (RESERVED.includes(variable)) {
      return [
        `\`${field}\` must be a variable of another name, ${got}, which a module cannot have`,
      ];
    }
    const other = places.slice(0, i).find((one) => one.variable === variable && one.kind !== kind);
    return other === undefined
      ? []
      : [
          `\`${field}\` must be a variable of its own, ${got}, which is the ${other.kind.what} in \`${fieldOf(other)}\``,
        ];
  });
}

/** Puts the variables in their places again, and says what each is. */
export function withVariables(settings: Settings, places: readonly Place[]): ModuleSettings {
  for (const { path, variable } of places) {
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, settings);
    if (typeof holder === 'object' && holder !== null) {
      Object.assign(holder, { [path.at(-1) ?? '']: `\${var.${variable}}` });
    }
  }
  const names = [...new Set(places.map(({ variable }) => variable))].sort();
  return { settings, variables: names.flatMap((name) => describe(name, places)) };
}

function fieldOf({ path }: Place): string {
  return path.filter((key) => key !== ALL_TAGS).join('.');
}

function memberOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function describe(name: string, places: readonly Place[]): ModuleVariable[] {
  const own = places.filter(({ variable }) => variable === name);
  const [first] = own;
  if (first === undefined) return [];
  const { what, rule, condition, type = 'string' } = first.kind;
  const fields = own.map(fieldOf).join(', ');
  const description = `${what}: ${fields}`;
  return [{ name, type, rule, description, condition: condition(`var.${name}`) }];
}
