import { type Json, list, object, text } from './json.js';
import type { TerraformStackJson } from './terraform-json.js';

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
