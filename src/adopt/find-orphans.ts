import { RESOURCE_ROWS } from '../cloud/table/index.js';
import { markDescription, markPlace, readDescriptionMark, readMark } from '../cloud/table/mark.js';
import type { ResourceRow } from '../cloud/table/row.js';
import type { CloudObject } from '../cloud-control/cloud-reader.js';
import type { FindCandidates, Recognized } from './cloud-objects.js';
import { cloudProviders, type StackPlan } from './read-plan.js';

/** An object that was made for the stack, and is neither in its state nor in its plan. */
export interface Orphan {
  readonly cloudType: string;
  readonly object: CloudObject;
  /** The address that it was made for, if its mark says so. */
  readonly address: string | undefined;
  /** True if the stack still has a resource at that address, with another object. */
  readonly isReplaced: boolean;
}

/** The types to search: every one that carries a mark, or those that the deploy makes. */
export type Breadth = 'every type' | 'types made';

/**
 * Finds objects with the stack's mark that no plan will ever find: their resource was renamed or removed
 * after an interrupted create, or the replacement that they were made for was called off.
 *
 * @param known identifiers of objects that the plan would make
 */
export async function findOrphans(
  plan: StackPlan,
  findCandidates: FindCandidates,
  known: ReadonlySet<string>,
  breadth: Breadth,
) {
  const made = new Set(plan.creates.map(({ row }) => row.type));
  const rows = RESOURCE_ROWS.filter((row) => markPlace(row) !== undefined).filter(
    ({ type }) => breadth === 'every type' || made.has(type),
  );
  const orphans = new Map<string, Orphan>();
  // Why a type that the stack does not have could not be read.
  const unread: string[] = [];
  for (const row of rows) {
    for (const provider of cloudProviders(plan)) {
      try {
        const recognize = (object: CloudObject) => recognizeMark(plan, row, object);
        for (const object of await findCandidates(provider, row.cloudType, recognize)) {
          if (!known.has(object.identifier)) {
            orphans.set(object.identifier, describe(plan, row, object));
          }
        }
      } catch (error) {
        if (isUsed(plan, row)) throw error;
        unread.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  return { orphans: [...orphans.values()], unread };
}

function isUsed({ configured, managed }: StackPlan, { type, cloudType }: ResourceRow): boolean {
  return (
    [...configured.keys()].some((address) => address.startsWith(`${type}.`)) ||
    managed.some((object) => object.cloudType === cloudType)
  );
}

function recognizeMark(
  { stacks }: StackPlan,
  row: ResourceRow,
  { properties: { Tags, Description } }: CloudObject,
): Recognized {
  const hasTags = markPlace(row) === 'tags';
  if ((hasTags ? Tags : Description) === undefined) return 'unknown';
  const mark = readDescriptionMark(Description)?.split(' ')[0];
  const isOfStack = hasTags
    ? stacks.has(readMark(Tags).stack ?? '')
    : [...stacks].some((stack) => mark === writtenName(stack));
  return isOfStack ? 'yes' : 'no';
}

/** The name as descriptions have it. */
function writtenName(stack: string): string | undefined {
  return readDescriptionMark(markDescription(undefined, { stack, address: '' }))?.split(' ')[0];
}

function describe(
  { configured, markedAs, stacks }: StackPlan,
  row: ResourceRow,
  object: CloudObject,
): Orphan {
  const { cloudType } = row;
  const own = [...configured.keys(), ...markedAs].filter((one) => one.startsWith(`${row.type}.`));
  const mark = readDescriptionMark(object.properties.Description);
  const address =
    readMark(object.properties.Tags).address ??
    own.find((one) =>
      [...stacks].some((stack) => markDescription(undefined, { stack, address: one }) === mark),
    );
  return { cloudType, object, address, isReplaced: own.some((one) => one === address) };
}
