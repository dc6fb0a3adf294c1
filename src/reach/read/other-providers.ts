import { groupBy } from '../../lists/group-by.js';
import type { TerraformResource, TerraformStackJson } from './terraform-json.js';

/** Types by the first word: of this cloud, of programs and of requests of any kind, and those that are looked at themselves. */
const CAN_OPEN =
  /^(?:volcengine\w*|null|terraform|random|time|tls|external|http|restapi|restful|terracurl|shell|script|exec|command|ssh|remote|ansible)_/;

/** Tells whether a type is one of another cloud or tool, which is taken to open nothing of this one. */
export function isOfOtherCloud(type: string): boolean {
  return !CAN_OPEN.test(`${type}_`);
}

/** Leaves out the objects of other clouds and tools, and counts them; what runs a program stays. */
export function withoutOtherClouds(stack: TerraformStackJson): TerraformStackJson {
  const isOther = ({ type, body }: TerraformResource) =>
    isOfOtherCloud(type) && body.provisioner === undefined;
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
