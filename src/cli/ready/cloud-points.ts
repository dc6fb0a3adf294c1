import { readMark } from '../../cloud/table/mark.js';
import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import {
  type CloudReader,
  explainCall,
  openCloudReader,
} from '../../cloud-control/cloud-reader.js';
import { type AnswerTimes, CloudControlError } from '../../cloud-control/transport.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { describeWaiting, readWaiting } from '../../live/waiting-connections.js';
import { type LoadedSettings, stackNames } from '../../settings/load-settings.js';
import {
  clockSkew,
  SKEW_FAILURE_MS,
  SKEW_WARNING_MS,
  shiftText,
} from '../../verify/model/clock-skew.js';
import { type NamedObject, namedObjects, neededTypes, providerBlock } from './needed-objects.js';
import { failed, type Point, passed, prove, unknown } from './readiness.js';

/**
 * Checks, with read-only calls, that the cloud lists each type that a deploy creates, and that the objects
 * in the settings exist.
 */
export async function cloudPoints(
  loaded: LoadedSettings,
  env: NodeJS.ProcessEnv,
): Promise<Point[]> {
  const { settings } = loaded;
  const answers: AnswerTimes[] = [];
  let reader: CloudReader | undefined;
  const opened = await prove('cloud', async () => {
    reader = await explainCall('the credentials', () =>
      openCloudReader(providerBlock(settings), env, (times) => answers.push(times)),
    );
    return 'credentials are given';
  });
  if (reader === undefined) return [clockPoint(answers), opened];
  const open = reader;
  try {
    const types = neededTypes(settings);
    const reads = await readPoints(open, types);
    for (const named of namedObjects(settings)) {
      reads.push(await prove('exists', () => findObject(open, named)));
    }
    reads.push(...(await waitingPoints(open, loaded)));
    // A clock that is wrong fails the reads as well.
    return [clockPoint(answers), ...reads, writePoint(types), QUOTA];
  } finally {
    await open.close();
  }
}

const QUOTA = unknown(
  'quota',
  'the API that this package calls has no call for quotas; check them in the cloud’s console',
);

async function findObject(reader: CloudReader, { field, row, id }: NamedObject): Promise<string> {
  const what = `GetResource of ${row.cloudType} ${id}`;
  const found = await explainCall(what, () => reader.get(row.cloudType, id));
  if (found !== undefined) return `${field}: ${id} is there`;
  throw usageError(
    `\`${field}\` must be the id of something that exists in this account and region, got: ${id}`,
  );
}

/** Compares with the cloud’s clock in place of the service's: the service is not called before the deploy. */
function clockPoint(answers: readonly AnswerTimes[]): Point {
  const skews = answers.flatMap((times) => clockSkew(times) ?? []);
  const [skew] = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b));
  if (skew === undefined) return unknown('clock', 'no response from the cloud has shown a time');
  const text = `the cloud’s clock is ${shiftText(skew)}`;
  if (Math.abs(skew) > SKEW_FAILURE_MS) {
    return failed('clock', new ConnectivityError('host.clock: 60 s', text));
  }
  if (Math.abs(skew) > SKEW_WARNING_MS) {
    return { ...failed('clock', new ConnectivityError('host.clock: 5 s', text)), status: 'warned' };
  }
  return passed('clock', 'within 5 s of the cloud’s');
}

/** Returns the connections that wait for the endpoint service of an environment, a warning each. */
async function waitingPoints(
  reader: CloudReader,
  { environment, settings }: LoadedSettings,
): Promise<Point[]> {
  if (settings.pluginEndpointService === undefined) return [];
  const points: Point[] = [];
  const read = await prove('waiting', async () => {
    const services = await explainCall('endpoint services', () =>
      servicesOf(reader, stackNames(environment).plugins),
    );
    const waiting = await explainCall('connections', () => readWaiting(reader, services));
    points.push(
      ...waiting.map((one): Point => {
        return { name: 'waiting', status: 'warned', text: describeWaiting(one) };
      }),
    );
    return services.length === 0
      ? 'there is no endpoint service yet'
      : `no connection waits for ${services.join(', ')}`;
  });
  return points.length === 0 ? [read] : points;
}

/** Finds the endpoint services that a stack has marked as its own. */
async function servicesOf(reader: CloudReader, stack: string): Promise<string[]> {
  const { cloudType } = privatelinkEndpointService;
  const own: string[] = [];
  for (const { identifier, properties } of await reader.list(cloudType)) {
    const isTold = 'Tags' in properties;
    const whole = isTold ? properties : (await reader.get(cloudType, identifier))?.properties;
    if (readMark(whole?.Tags).stack === stack) own.push(identifier);
  }
  return own;
}

/** Actions that make, and those that read; others change and delete. */
const MAKING = /:(Create|Add)/;
const READING = /:(Describe|List|Query)/;

/** Lists each type, and reads an object of it where there is one. */
async function readPoints(reader: CloudReader, types: readonly ResourceRow[]): Promise<Point[]> {
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
function writePoint(types: readonly ResourceRow[]): Point {
  const making = types.flatMap(({ cloudType, actions }) => {
    const named = actions?.deploy.filter((action) => MAKING.test(action));
    return named ?? `those of ${cloudType}, which the registry of the cloud does not list`;
  });
  return unknown(
    'write',
    `not shown, because the cloud asks for them only when it makes, changes or deletes: ${[...new Set(making)].join(', ')}; the others are in docs/permissions.md`,
  );
}
