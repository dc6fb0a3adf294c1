/** A construct, as far as it is needed here. */
interface Scope {
  readonly node: { readonly children: readonly Scope[]; readonly scopes: readonly object[] };
}

interface Aspect {
  visit(scope: object): void;
}

/**
 * Lets the aspects of a stack, and of the app that it is in, visit it, as a synthesis does, without
 * loading cdktf: it keeps them under a symbol of its own.
 */
export function withAspects(stack: object): void {
  if (isScope(stack)) visit(stack, stack.node.scopes.slice(0, -1).flatMap(aspectsOf));
}

function visit(scope: Scope, inherited: readonly Aspect[]): void {
  const all = [...inherited, ...aspectsOf(scope)];
  for (const aspect of all) aspect.visit(scope);
  for (const child of scope.node.children) visit(child, all);
}

function aspectsOf(scope: object): readonly Aspect[] {
  const own = Object.getOwnPropertySymbols(scope).find(({ description = '' }) =>
    /^cdkt[fn]-aspects$/.test(description),
  );
  const held: unknown = own && Reflect.get(scope, own);
  const all: unknown = typeof held === 'object' && held !== null && Reflect.get(held, 'all');
  return Array.isArray(all) ? all.filter(isAspect) : [];
}

function isScope(value: object): value is Scope {
  return 'node' in value;
}

function isAspect(value: unknown): value is Aspect {
  return typeof value === 'object' && value !== null && 'visit' in value;
}
