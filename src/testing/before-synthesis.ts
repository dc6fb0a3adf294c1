/** A construct, as far as it is needed here. */
interface Scope {
  readonly node: {
    readonly path: string;
    readonly children: readonly Scope[];
    readonly scopes: readonly object[];
    validate(): unknown;
  };
}

interface Aspect {
  visit(scope: object): void;
}

/**
 * Lets everything that may change a stack before it is written do so, in the order of a synthesis: the
 * aspects of the stack and of the app that it is in, then the validations. It does not load cdktf, which
 * keeps aspects under a symbol of its own.
 */
export function changeBeforeSynthesis(stack: object): void {
  if (!isScope(stack)) return;
  visit(stack, stack.node.scopes.slice(0, -1).flatMap(aspectsOf));
  // Mistakes are refused elsewhere, and other problems do not bear on what is open.
  for (const { node } of allOf(stack)) node.validate();
}

/** Lists constructs with code that runs while the stack is written, and can change it after all else, as clauses. */
export function lateChanges(stack: object): string[] {
  return (isScope(stack) ? allOf(stack) : [])
    .filter((scope) => Reflect.has(scope, Symbol.for('cdktf/customSynthesis')) && !isAsset(scope))
    .map(({ node }) => `${node.path}: it runs code while the stack is synthesized`);
}

/** A file or folder that cdktf copies beside the stack, and nothing else. */
function isAsset(scope: object): boolean {
  return scope.constructor.name === 'TerraformAsset' && 'assetHash' in scope;
}

function allOf(scope: Scope): Scope[] {
  return [scope, ...scope.node.children.flatMap(allOf)];
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
