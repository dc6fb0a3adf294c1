import type { ResourceRow } from '../../cloud/table/row.js';
import { type CloudReader, explainCall } from '../../cloud-control/cloud-reader.js';
import { CloudControlError } from '../../cloud-control/transport.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type Point, prove, unknown } from './readiness.js';

/** Actions that make, and those that read; others change and delete. */
const MAKING = /:(Create|Add)/;
const READING = /:(Describe|List|Query)/;

/** Lists each type, and reads an object of it where there is one. */
export async function readPoints(
  reader: CloudReader,
  types: readonly ResourceRow[],
): Promise<Point[]> {
  const unreadable: Point[] = [];
  const read = await prove('read', async () => {
    const refused: string[] = [];
    let objects = 0;
    for (const { cloudType, actions } of types) {
      const first = await explainCall(`ListResources of ${cloudType}`, () =>
        reader.first(cloudType).catch(readRefusal),
      );
      if (first instanceof CloudControlError) {
        refused.push(sayRefusal(cloudType, first, actions?.list));
      } else if (first !== undefined) {
        const what = `GetResource of ${cloudType}`;
        const found = await explainCall(what, () =>
          reader.get(cloudType, first.identifier).catch(readRefusal),
        );
        if (!(found instanceof CloudControlError)) objects += found === undefined ? 0 : 1;
        else unreadable.push(readWarning(cloudType, found, actions?.deploy));
      }
    }
    if (refused.length === 0) {
      return `the cloud lists all ${types.length} types that a deploy makes and looks for, and an object of ${objects} of them was read`;
    }
    throw new ConnectivityError('cloud.unreadable', `the cloud refuses ${refused.join('. ')}`);
  });
  return [read, ...unreadable];
}

function sayRefusal(
  what: string,
  { code, reason, status }: CloudControlError,
  actions?: readonly string[],
) {
  const needed = status === 403 ? `; needs ${actions?.join(', ') ?? ''}` : '';
  return `${what}: ${code} (${reason})${needed}`;
}

/** Warns only: the identity may be allowed to read what it makes, and nothing of others. */
function readWarning(type: string, error: CloudControlError, actions?: readonly string[]): Point {
  const reads = actions?.filter((action) => READING.test(action));
  const text = `the cloud refuses to read an object that it lists, which may be a stranger’s, ${sayRefusal(type, error, reads)}`;
  return { name: 'read', status: 'warned', text };
}

/** Returns a refusal of the cloud; any other error is thrown again. */
function readRefusal(error: unknown): CloudControlError {
  if (error instanceof CloudControlError && error.isRefusal) return error;
  throw error;
}

/** Names what only making an object asks for, at times after others were made (`late-permission`). */
export function writePoint(types: readonly ResourceRow[]): Point {
  const making = types.flatMap(({ cloudType, actions }) => {
    const named = actions?.deploy.filter((action) => MAKING.test(action));
    return named ?? `those of ${cloudType}, which the registry of the cloud does not list`;
  });
  return unknown(
    'write',
    `not shown, because the cloud asks for them only when it makes, changes or deletes: ${[...new Set(making)].join(', ')}; the others are in docs/permissions.md`,
  );
}
