import type { IConstruct } from 'constructs';

/** The context of an app whose stack becomes a module: roots of others give it states, providers and callers. */
export const MODULE_CONTEXT = 'secure-connectivity:module';

/** Tells whether what a construct makes becomes part of a module. */
export function isInModule(construct: IConstruct): boolean {
  return construct.node.tryGetContext(MODULE_CONTEXT) === true;
}
