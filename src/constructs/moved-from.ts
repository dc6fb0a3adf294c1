import { Aspects, TerraformResource, TerraformStack } from 'cdktf';
import { Construct, type IConstruct } from 'constructs';
import { keepMark } from '../cloud/resource.js';

/**
 * Lets the state follow a construct whose id has changed: each of its resources is moved from its
 * former address. Objects in the cloud keep their mark, so nothing about them changes.
 *
 * @param formerId the id that it had in the same scope
 */
export function movedFrom(construct: Construct, formerId: string): void {
  // A test may ask a stack several times, and each time its aspects visit it.
  const moved = new WeakSet<IConstruct>();
  Aspects.of(construct).add({
    visit: (node) => {
      if (!TerraformResource.isTerraformResource(node) || moved.has(node)) return;
      moved.add(node);
      const name = formerName(node, construct, formerId);
      const address = `${node.terraformResourceType}.${name}`;
      node.moveFromId(address);
      keepMark(node, address);
    },
  });
}

/** Asks the stack, which may have a naming scheme of its own, by constructs that are removed again. */
function formerName(resource: IConstruct, renamed: Construct, formerId: string): string {
  const { scope } = renamed.node;
  if (scope === undefined) throw new Error('a construct outside a stack has no address');
  const below = resource.node.scopes.slice(renamed.node.scopes.length);
  const former = below.reduce(
    (parent, { node }) => new Construct(parent, node.id),
    new Construct(scope, formerId),
  );
  const name = TerraformStack.of(resource).getLogicalId(former.node);
  scope.node.tryRemoveChild(formerId);
  return name;
}
