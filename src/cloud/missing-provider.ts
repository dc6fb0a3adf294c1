import { TerraformDataSource, TerraformProvider, TerraformResource, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { CLOUD_PROVIDER } from './table/index.js';

/**
 * The problem of a stack without a provider for its resources, reported once: at the first of them.
 * An alias alone serves none that does not name it.
 */
export function missingProvider(resource: IConstruct): string[] {
  const constructs = TerraformStack.of(resource).node.findAll();
  if (constructs.find(needsDefault) !== resource) return [];
  const aliases = constructs.filter(isProvider).map(({ alias }) => alias);
  if (aliases.includes(undefined)) return [];
  const found = aliases.length === 0 ? 'none' : `only ${aliases.join(', ')}`;
  return [
    `\`provider\` is missing: the stack must have a CloudProvider without an alias, got: ${found}; add new CloudProvider(stack, 'cloud', { region: 'cn-beijing' })${aliases.length === 0 ? '' : ', or give `provider`'}`,
  ];
}

function isProvider(construct: IConstruct): construct is TerraformProvider {
  return (
    TerraformProvider.isTerraformProvider(construct) &&
    construct.terraformResourceType === CLOUD_PROVIDER.name
  );
}

function needsDefault(construct: IConstruct): boolean {
  const isOfTerraform =
    TerraformResource.isTerraformResource(construct) ||
    TerraformDataSource.isTerraformDataSource(construct);
  if (!isOfTerraform) return false;
  const { provider, terraformGeneratorMetadata: made } = construct;
  return provider === undefined && made?.providerName === CLOUD_PROVIDER.name;
}

/** Tells whether cdktf says the same in its own words. */
export function isOfMissingProvider(problem: string): boolean {
  return (
    problem.startsWith('Found resources without a matching provider construct') &&
    problem.endsWith(`: ${CLOUD_PROVIDER.name}`)
  );
}
