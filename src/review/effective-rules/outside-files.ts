import { list, object } from '../../reach/read/json.js';
import { isCompared } from '../../reach/read/stack-folder.js';
import {
  fingerprint,
  type TerraformStackJson,
  type Unread,
} from '../../reach/read/terraform-json.js';
import { type Call, readExpressions, sourceOf } from '../../terraform/expressions.js';
import { fileWithin, readsFiles, readsNothing } from '../../terraform/functions.js';
import { partsOf } from '../../terraform/template.js';
import { isHarmless } from '../types/index.js';

/**
 * Files outside of the tree, and whatever else of the machine that deploys functions read: it is in neither
 * tree, so where it decides something, what looks the same may be another; and where it decides nothing, it
 * is shown to whoever sees the plan, the labels or the outputs. Files in the stack's own folder are compared
 * with the tree.
 *
 * @param meaningsOf answers a value with all that its references lead to
 */
export function readOutsideFiles(
  { resources: all, blocks: others }: TerraformStackJson,
  meaningsOf: (value: unknown) => readonly unknown[],
): Unread[] {
  const resources = all.flatMap((resource) =>
    Object.entries(resource.body).map(([name, value]) => ({
      where: resource.address,
      attribute: name,
      value,
      decides: !isHarmless(resource, name),
    })),
  );
  const blocks = [...others]
    .filter(([, { kind }]) => !UNUSED.has(kind))
    .map(([where, { kind, body }]) => ({
      where,
      attribute: undefined,
      value: body,
      decides: kind !== 'output' || READ.has(where),
    }));
  return [...resources, ...blocks].flatMap(({ where, attribute, value, decides }) => {
    const meant = meaningsOf(value);
    const outside = new Set([
      ...findReads(meant, decides),
      ...findSources(where, value).flatMap(readByCall),
    ]);
    const areFiles = ![...outside].some((one) => one.startsWith('what '));
    return outside.size === 0
      ? []
      : [
          {
            where,
            ...(attribute !== undefined && { attribute }),
            why: `it ${decides ? 'reads' : 'shows'} ${[...outside].join(', ')}, ${decides ? UNSEEN : `${areFiles ? 'a file ' : ''}of the machine that deploys, in the plan or the outputs`}`,
            fingerprint: fingerprint(decides ? value : meant),
            ...(decides && { isOutside: true as const }),
          },
        ];
  });
}

const UNSEEN = 'outside of the tree, where no change can be seen';

/** Locals count where they are used; a variable's default holds no call. */
const UNUSED = new Set(['//', 'locals', 'variable', 'moved', 'removed']);
/** Outputs that a check reads. */
const READ = new Set(['output.connectivity', 'output.connections']);

/** Finds what functions, and names of the environment, read outside of the tree. */
function findReads(value: unknown, decides: boolean): string[] {
  const { calls, references, unreadable } = readExpressions(value);
  const named = references.map(({ path }) => path.slice(0, 2).join('.'));
  return [
    ...calls.filter((call) => !readsNothing(call)).flatMap(readByCall),
    ...(decides ? named.filter((name) => ENVIRONMENT.has(name)) : []),
    ...unreadable.map((what) => `what an expression with ${what} names`),
  ];
}

/** Values that the machine that deploys, or whoever does, decides. */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  'path.cwd',
  'terraform.workspace',
  'tofu.workspace',
]);

/** An argument that is no literal could be anywhere. */
function readByCall(call: Call): string[] {
  if (!readsFiles(call)) return [`what ${call.name}() reads`];
  const file = fileWithin(call);
  if (file !== undefined && isCompared(file)) return [];
  const [path] = call.texts;
  return [path === undefined ? 'a file' : sourceOf(path)];
}

/** The folder of a module, and the file of a data source, as if a function read them. */
function findSources(where: string, value: unknown): Call[] {
  const isFile = /^data\.local(?:_sensitive)?_file\./.test(where);
  const named = where.startsWith('module.') ? list(object(value).source) : isFile ? [value] : [];
  return named
    .filter((one) => typeof one === 'string' && (isFile || /^\.{0,2}\//.test(one)))
    .map((one) => ({ name: 'file', texts: [partsOf(String(one)) ?? []] }));
}
