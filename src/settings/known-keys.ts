import type * as z from 'zod';

type Schema = z.core.$ZodTypes;

/**
 * The keys that an object of the settings may have.
 *
 * @param path to the object; what lies in lists and records is found by any index or key
 */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const forms = path.reduce<Schema[]>(
    (inner, key) => inner.flatMap((form) => below(form, key)),
    unwrapped(schema),
  );
  return [...new Set(forms.flatMap((form) => Object.keys(shapeOf(form))))];
}

/** Every form that a value may have, without what makes it optional or gives it a default. */
function unwrapped(schema: z.core.$ZodType): Schema[] {
  const { _zod } = schema as Schema;
  switch (_zod.def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return unwrapped(_zod.def.innerType);
    case 'union':
      return _zod.def.options.flatMap(unwrapped);
    default:
      return [schema as Schema];
  }
}

function below(schema: Schema, key: PropertyKey): Schema[] {
  const { def } = schema._zod;
  if (def.type === 'array') return unwrapped(def.element);
  if (def.type === 'record') return unwrapped(def.valueType);
  const inner = shapeOf(schema)[String(key)];
  return inner === undefined ? [] : unwrapped(inner);
}

function shapeOf({ _zod: { def } }: Schema): Readonly<Record<string, z.core.$ZodType>> {
  return def.type === 'object' ? def.shape : {};
}
