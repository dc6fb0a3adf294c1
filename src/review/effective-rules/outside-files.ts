import { list, object, text, textsIn } from '../../reach/read/json.js';
import {
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
  type Unread,
} from '../../reach/read/terraform-json.js';
import { isHarmless } from '../types/index.js';

/**
 * Files outside of the tree: their content is in neither tree, so where they decide something, what looks
 * the same may be another; and where they decide nothing, they are shown to whoever sees the plan, the
 * labels or the outputs. Files in the stack's own folder are compared with the tree.
 */
export function readOutsideFiles(stack: TerraformStackJson): Unread[] {
  const locals = object(stack.blocks.get('locals')?.body);
  const resources = stack.resources.filter(canRead).flatMap((resource) =>
    Object.entries(resource.body).map(([name, value]) => ({
      where: resource.address,
      attribute: name,
      value,
      decides: !isHarmless(resource, name),
    })),
  );
  const blocks = [...stack.blocks]
    .filter(([, { kind }]) => !UNUSED.has(kind))
    .map(([where, { kind, body }]) => ({
      where,
      attribute: undefined,
      value: body,
      decides: kind !== 'output' || READ.has(where),
    }));
  return [...resources, ...blocks].flatMap(({ where, attribute, value, decides }) => {
    const meant = withLocals(value, locals);
    const files = [...findFiles(meant), ...findSources(where, value)];
    const outside = [...new Set(files)].filter((file) => !isInside(file));
    return outside.length === 0
      ? []
      : [
          {
            where,
            ...(attribute !== undefined && { attribute }),
            why: `it ${decides ? 'reads' : 'shows'} ${outside.join(', ')}, ${decides ? 'outside of the tree, where no change can be seen' : 'a file of the machine that deploys, in the plan or the outputs'}`,
            fingerprint: fingerprint(decides ? value : meant),
            ...(decides && { isOutside: true as const }),
          },
        ];
  });
}

/** Tells whether a resource calls any function: most of a large stack do not. */
function canRead({ kind, body }: TerraformResource): boolean {
  return kind === 'data' || /[$%]\{/.test(JSON.stringify(body));
}

/** Locals count where they are used; a variable's default holds no call. */
const UNUSED = new Set(['//', 'locals', 'variable', 'moved', 'removed']);
/** Outputs that a check reads. */
const READ = new Set(['output.connectivity', 'output.connections']);

/** A call, between whose name and argument HCL takes spaces and comments. */
const CALL =
  /(?<![\w.])(?:file(?:base64|exists|set|md5|(?:base64)?sha(?:1|256|512))?|templatefile)(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|(?:#|\/\/)[^\n]*\n)*\(\s*("(?:[^"\\]|\\.)*"(?=\s*[,)]))?/g;

/**
 * Finds the files that calls of Terraform's functions name; an argument that is no literal could be
 * anywhere.
 */
function findFiles(value: unknown): string[] {
  return textsIn(value)
    .filter((one) => one.includes('${') || one.includes('%{'))
    .flatMap((one) => [...one.matchAll(CALL)])
    .map(([, file]) => (file === undefined ? 'a file' : file.slice(1, -1)));
}

/** The folder of a module, and the file of a data source. */
function findSources(where: string, value: unknown): string[] {
  const isModule = where.startsWith('module.');
  const isFile = /^data\.local(?:_sensitive)?_file\./.test(where);
  if (isModule)
    return list(object(value).source)
      .map(text)
      .filter((one) => /^\.{0,2}\//.test(one));
  return isFile && typeof value === 'string' ? [value] : [];
}

function isInside(file: string): boolean {
  const path = file.replace(/^\$\{path\.(?:module|root|cwd)\}\//, '');
  const isRelative = !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && path !== 'a file';
  return isRelative && !path.includes('${') && !path.split(/[/\\]+/).includes('..');
}

/** A value with all locals that it names, and those that they name. */
function withLocals(value: unknown, locals: Readonly<Record<string, unknown>>): unknown[] {
  const found = new Map<string, unknown>();
  const follow = (one: unknown) => {
    for (const [, name = ''] of textsIn(one)
      .join(' ')
      .matchAll(/\blocal\.([\w-]+)/g)) {
      if (found.has(name)) continue;
      found.set(name, locals[name]);
      follow(locals[name]);
    }
  };
  follow(value);
  return [value, ...found.values()];
}
