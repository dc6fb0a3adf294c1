const PREFIX = 'cdktf-secure-connectivity';

/**
 * State that a process has once, even if it has loaded this package both as an ES module and as
 * CommonJS, such as a stack in one form and a library beside it in the other.
 */
export function shared<T>(name: string, make: () => T): T {
  const state = globalThis as { [key: symbol]: unknown };
  const key = Symbol.for(`${PREFIX}/${name}`);
  state[key] ??= make();
  return state[key] as T;
}

/** Makes `instanceof` recognize objects of the same class in the other module form. */
export function recognizeInBothForms(own: abstract new (...args: never[]) => object, name: string) {
  const mark = Symbol.for(`${PREFIX}/${name}`);
  Object.defineProperty(own.prototype, mark, { value: true });
  Object.defineProperty(own, Symbol.hasInstance, {
    value(this: unknown, thing: unknown): boolean {
      // A subclass inherits this method, but not what it recognizes.
      if (this !== own) return Function.prototype[Symbol.hasInstance].call(this, thing);
      return typeof thing === 'object' && thing !== null && mark in thing;
    },
  });
}
