import { readMark } from '../../cloud/table/mark.js';
import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import { type CloudReader, explainCall } from '../../cloud-control/cloud-reader.js';
import { describeWaiting, readWaiting } from '../../live/waiting-connections.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import { type Point, prove } from './readiness.js';

/**
 * Returns the connections that wait for the endpoint service of an environment, a warning each.
 */
export async function waitingPoints(
  reader: CloudReader,
  { environment, settings }: LoadedSettings,
): Promise<Point[]> {
  if (settings.pluginEndpointService === undefined) return [];
  const points: Point[] = [];
  const read = await prove('waiting', async () => {
    const services = await explainCall('endpoint services', () =>
      servicesOf(reader, `plugin-access-${environment}`),
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
