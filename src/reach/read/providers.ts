import { groupBy } from '../../lists/group-by.js';
import { type Json, list, object, text } from './json.js';
import type { TerraformResource, TerraformStackJson } from './terraform-json.js';

interface Provider {
  /** `null` is short for `hashicorp/null`, and so is a provider of that name that says no source. */
  readonly source: string;
  readonly version: string;
  readonly value: Json;
}

/** Reads the providers that a `terraform` block requires, by the names that the stack has for them. */
export function requiredProviders(body: unknown): ReadonlyMap<string, Provider> {
  const required = list(object(body).required_providers).flatMap((one) =>
    Object.entries(object(one)),
  );
  return new Map(required.map(([name, value]) => [name, providerOf(name, value)]));
}

export function providerOf(name: string, value: unknown = {}): Provider {
  const { source = name, version } = object(value);
  const full = text(source).includes('/') ? text(source) : `hashicorp/${text(source)}`;
  return { source: full, version: text(version), value: object(value) };
}

/** Those that open nothing but what is read here; the registry may be named. */
const KNOWN =
  /^(?:registry\.(?:terraform\.io|opentofu\.org)\/)?(?:volcengine\/volcengine(?:cc)?|hashicorp\/(?:external|null|random|time|tls))$/;

/** Lists providers of others that a stack requires or names: each is a program, which can do anything. */
export function foreignProviders(
  stack: Pick<TerraformStackJson, 'blocks' | 'resources'>,
): string[] {
  const required = requiredProviders(stack.blocks.get('terraform')?.body);
  const named = stack.resources
    .map(({ body }) => text(body.provider).split('.', 1)[0] ?? '')
    .filter((name) => name !== '' && name !== 'volcenginecc' && !required.has(name))
    .map((name) => [name, providerOf(name)] as const);
  return [...new Map([...required, ...named])]
    .filter(([, { source }]) => !KNOWN.test(source))
    .map(([name, { source }]) => `terraform.required_providers.${name}: ${source} is not known`);
}

/** Providers, by their sources, that act on another cloud or tool. Any other may act on this cloud too, as one of a cluster does. */
const OTHER_CLOUDS = new Set([
  ...['hashicorp/aws', 'hashicorp/azurerm', 'hashicorp/azuread', 'hashicorp/google'],
  ...['hashicorp/google-beta', 'aliyun/alicloud', 'hashicorp/alicloud', 'cloudflare/cloudflare'],
  ...['tencentcloudstack/tencentcloud', 'huaweicloud/huaweicloud', 'datadog/datadog'],
  ...['integrations/github', 'gitlabhq/gitlab'],
]);

/** Returns a provider's source as a configuration writes it, of its whole address or of what a state says of it. */
export function providerSource(name: string): string {
  const [, address = name] = /provider\["([^"]+)"\]/.exec(name) ?? [];
  return address.replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, '');
}

/** Tells whether a provider is one of another cloud or tool, which is taken to open nothing of this one. */
export function isOfOtherCloud(source: string): boolean {
  return OTHER_CLOUDS.has(source.toLowerCase());
}

/** Leaves out the objects of other clouds and tools, and counts them; what runs a program stays. */
export function withoutOtherClouds(stack: TerraformStackJson): TerraformStackJson {
  const isOther = ({ provider = '', body }: TerraformResource) =>
    isOfOtherCloud(provider) && body.provisioner === undefined;
  const others = stack.resources.filter(isOther);
  if (others.length === 0) return stack;
  return {
    ...stack,
    resources: stack.resources.filter((one) => !isOther(one)),
    others: `${countTypes(others)}: of other providers, which are taken to open nothing in this cloud`,
  };
}

/** Counts objects by their types: `12 aws_instance, 3 volcengine_vpc (provider volcengine/volcengine)`. */
export function countTypes(all: readonly Pick<TerraformResource, 'kind' | 'type'>[]): string {
  const named = groupBy(all, ({ kind, type }) => (kind === 'data' ? `data.${type}` : type));
  return [...named]
    .map(([name, { length }]) => `${length} ${name}${isOfClassic(name) ? ` (${CLASSIC})` : ''}`)
    .sort((a, b) => (a.replace(/^\d+ /, '') < b.replace(/^\d+ /, '') ? -1 : 1))
    .join(', ');
}

/** The provider of this cloud that came before the one that is read. */
const CLASSIC = 'provider volcengine/volcengine';

/** Says why a type is not read. */
export function whyUnread(type: string): string {
  return isOfClassic(type) ? `the ${CLASSIC} is not read` : 'its type is not known';
}

function isOfClassic(type: string): boolean {
  return /^(?:data\.)?volcengine_/.test(type);
}
