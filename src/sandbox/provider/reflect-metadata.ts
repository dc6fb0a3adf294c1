const stored = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return stored.get(target)?.get(key);
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const metadata = stored.get(target) ?? new Map<unknown, unknown>();
  stored.set(target, metadata.set(key, value));
}

function getMetadata(key: unknown, target: object): unknown {
  const own = getOwnMetadata(key, target);
  if (own !== undefined) return own;
  const parent: unknown = Object.getPrototypeOf(target);
  return typeof parent === 'function' || (typeof parent === 'object' && parent !== null)
    ? getMetadata(key, parent)
    : undefined;
}

/**
 * Gives `Reflect` the three functions of the metadata proposal that the certificate library's dependency
 * injection calls and Node does not have. Call it before that library is loaded.
 */
export function provideReflectMetadata(): void {
  if ('getMetadata' in Reflect) return;
  Object.assign(Reflect, { getOwnMetadata, defineMetadata, getMetadata });
}

provideReflectMetadata();
