import { groupBy } from '../../lists/group-by.js';
import type { TerraformResource, TerraformStackJson } from './terraform-json.js';

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
