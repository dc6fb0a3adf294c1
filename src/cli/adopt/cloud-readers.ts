import type { StackPlan } from '../../adopt/read-plan.js';
import { type CloudReader, openCloudReader } from '../../cloud-control/cloud-reader.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { PendingCalls } from '../program/waiting.js';

/** A reader of the cloud for each provider of a stack, opened when it is first asked for. */
export interface CloudReaders {
  readerOf(provider: string): Promise<CloudReader>;
  close(): Promise<void>;
}

/** Every call that fails becomes one error, which names the call and no credential. */
export function openReaders({ providers }: StackPlan, env = process.env): CloudReaders {
  const readers = new Map<string, Promise<CloudReader>>();
  return {
    readerOf(provider) {
      const open = () => openCloudReader(providers.get(provider) ?? {}, env);
      const reader =
        readers.get(provider) ??
        explain('the credentials', open).then((opened) => explaining(opened, new PendingCalls()));
      readers.set(provider, reader);
      return reader;
    },
    async close() {
      const opened = await Promise.allSettled(readers.values());
      await Promise.all(
        opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
      );
    },
  };
}

function explaining(reader: CloudReader, pending: PendingCalls): CloudReader {
  const call = <T>(what: string, work: () => Promise<T>) =>
    pending.during(what, () => explain(what, work));
  return {
    close: () => reader.close(),
    list: (type) => call(`ListResources of ${type}`, () => reader.list(type)),
    probe: (type) => call(`ListResources of ${type}`, () => reader.probe(type)),
    get: (type, id) => call(`GetResource of ${type} ${id}`, () => reader.get(type, id)),
  };
}

async function explain<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ConnectivityError) throw cause;
    const reason = safeText(cause instanceof Error ? readReason(cause) : String(cause));
    throw new ConnectivityError('cloud.unreadable', `${what} failed: ${reason}`, { cause });
  }
}

/** The network's own words are in the cause. */
function readReason({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
