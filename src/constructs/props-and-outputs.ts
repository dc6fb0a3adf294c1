import { TerraformOutput, type TerraformProvider, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { AccessException } from '../access/access-rule.js';
import { kind, list, map, numberThat, provider, text, textThat } from '../cloud/props/kinds.js';
import { isToken, object, optional, required, type Shape } from '../cloud/props/shape.js';
import { fitsName, NAME, NAME_RULE } from '../settings/defaults.js';
import { cidrProblems, hostProblems, portProblems } from './mistakes.js';

/** The props of every construct that creates cloud resources. */
export interface CommonProps {
  /** @default - the provider without an alias */
  readonly provider?: TerraformProvider;
  /** The cloud project that the resources belong to. @default - the account's default project */
  readonly projectName?: string;
  /** @default - none */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The project that the cloud fills in where none is given. */
const DEFAULT_PROJECT = 'default';

/**
 * The project, always written out: one that was left out and is given later, or the other way round,
 * would be an update that the cloud refuses in place of a replacement.
 */
export function chooseProject({ projectName }: CommonProps): string {
  return projectName ?? DEFAULT_PROJECT;
}

/** Tags in the cloud's form, in the order of their keys. */
function cloudTags(tags: Readonly<Record<string, string>> | undefined) {
  const pairs = Object.entries(tags ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? undefined : pairs.map(([key, value]) => ({ key, value }));
}

/** Project, tags and provider of a resource, in its own terms. */
export function resourceProps(props: CommonProps) {
  const { tags, provider } = props;
  return {
    projectName: chooseProject(props),
    tags: cloudTags(tags),
    provider,
  };
}

/** The common properties alone, to hand them on. */
export function pickCommon({ provider, projectName, tags }: CommonProps): CommonProps {
  return { provider, projectName, tags };
}

/**
 * Outputs of a stack, under a construct's name: what a person pastes or attaches somewhere.
 *
 * @param values text by name; those that are undefined are left out
 */
export function outputs(
  of: Construct,
  values: Readonly<Record<string, { readonly value: string | undefined; readonly about: string }>>,
): void {
  for (const [name, { value, about }] of Object.entries(values)) {
    if (value === undefined) continue;
    new TerraformOutput(TerraformStack.of(of), `${nameInStack(of)}-${name}`, {
      value,
      description: about,
    });
  }
}

/** A construct's name in its stack: its id, after those of the constructs that it is part of. */
export function nameInStack(construct: Construct): string {
  const outer = TerraformStack.of(construct).node.path;
  return construct.node.path.slice(outer.length + 1).replaceAll('/', '-');
}

/** The props that every construct of cloud resources has. */
export const COMMON_PROPS: Shape<CommonProps> = {
  provider: optional(provider),
  projectName: optional(text),
  tags: optional(map('an object of texts by key', text)),
};

/** First part of the names of what is made. */
export const name = textThat(
  (value, path) =>
    isToken(value) || (NAME.test(value) && fitsName(value))
      ? []
      : [`\`${path}\` ${NAME_RULE}, got: "${value}"`],
  'a name',
);

export const host = textThat((value, path) => hostProblems(path, value), 'a host name');

export const port = numberThat((value, path) => portProblems(path, [value]), 'a port');

export const ports = list<number>(
  'ports',
  numberThat(() => [], 'a port'),
  (values, path) => portProblems(path, values),
);

/** CIDRs that must not be most of the internet. */
export function cidrs(remedy?: string) {
  return list<string>(
    'CIDRs',
    textThat(() => [], 'a CIDR'),
    (values, path) => cidrProblems(path, values, remedy),
  );
}

export const exception = object<AccessException>('an object with reason, owner and expires', {
  reason: required(kind('text', isString)),
  owner: required(kind('text', isString)),
  expires: required(kind('a day as YYYY-MM-DD', isString)),
});

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
