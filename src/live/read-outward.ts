import type { CloudReader } from '../cloud-control/cloud-reader.js';
import { CloudControlError } from '../cloud-control/transport.js';
import { safeText } from '../codes/redact.js';
import { nameSome } from '../lists/counted.js';
import { groupBy } from '../lists/group-by.js';
import { mapLimited } from '../lists/map-limited.js';
import type { Json } from '../reach/read/json.js';
import { type CloudName, leadsOf } from './leads.js';
import { type Search, searchesOf } from './searches.js';

/** The number of calls that are under way at once. */
const PARALLEL = 8;

/** An object as a list tells of it. */
interface Listed {
  readonly identifier: string;
  readonly properties: Json;
}

/** Calls to the cloud: an object by its identifier, and the objects of a type. */
export type OpenCloud = Pick<CloudReader, 'get' | 'pages'>;

/** Objects of a cloud, read outward from some of them. */
export interface ReadObjects {
  /** Properties by the cloud's type and by identifier. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Objects that something names and the cloud does not have. */
  readonly gone: readonly CloudName[];
  /** Parts that were not read, as clauses. */
  readonly unread: readonly string[];
}

/**
 * Reads objects, what they name, and what acts on them unnamed; each once, and no more calls than
 * allowed. What a call was refused for, or was not made for, is named.
 *
 * @throws Error where the network fails, or the cloud refuses every call
 */
export async function readOutward(
  cloud: OpenCloud,
  from: readonly CloudName[],
  maxReads: number,
): Promise<ReadObjects> {
  const reading = new Reading(cloud, maxReads);
  await reading.follow(from);
  return reading.result();
}

class Reading {
  readonly #known = new Set<string>();
  /** Calls that were made, so that none is made twice. */
  readonly #objects = new Map<string, Promise<Json | undefined | 'no answer'>>();
  readonly #lists = new Map<string, Promise<readonly Listed[]>>();
  readonly #resources = new Map<string, Map<string, Json>>();
  readonly #gone: CloudName[] = [];
  readonly #refused = new Map<string, CloudControlError>();
  readonly #skipped = new Set<string>();
  #reads = 0;
  #answers = 0;

  constructor(
    private readonly cloud: OpenCloud,
    private readonly maxReads: number,
  ) {}

  /**
   * Reads objects wave by wave: those that a wave names are the next one. Lists, which can be long, are read
   * when nothing is left that something names.
   */
  async follow(names: readonly CloudName[]): Promise<void> {
    const own = new Set(names.map(keyOf));
    const searches: Search[] = [];
    let wave = this.#unknown(names);
    while (wave.length > 0) {
      const next: CloudName[] = [];
      await mapLimited(wave, PARALLEL, async (name) => {
        const properties = await this.#get(name);
        if (properties === undefined) return;
        next.push(...leadsOf(name, properties));
        searches.push(...searchesOf(name, properties, own.has(keyOf(name))));
      });
      if (next.every((name) => this.#known.has(keyOf(name)))) {
        const due = searches.splice(0);
        // Lists first: what they leave open is read one by one, and could use up all reads.
        await mapLimited(due, PARALLEL, (search) => this.#listing(search));
        await mapLimited(due, PARALLEL, async (search) => {
          next.push(...(await this.#find(search)));
        });
      }
      wave = this.#unknown(next);
    }
  }

  result(): ReadObjects {
    const [first] = this.#refused.values();
    if (this.#answers === 0 && first !== undefined) throw first;
    return {
      resources: Object.fromEntries(
        [...this.#resources].map(([type, all]) => [type, Object.fromEntries(all)]),
      ),
      gone: this.#gone,
      unread: [
        ...this.#describeRefusals(),
        ...(this.#skipped.size === 0
          ? []
          : [
              `${nameSome([...this.#skipped], MAX_NAMED)}: the ${this.maxReads} reads of --max-reads are used up`,
            ]),
      ],
    };
  }

  /** A cloud that refuses a type says the same of each object of it. */
  #describeRefusals(): string[] {
    const alike = groupBy(
      [...this.#refused],
      ([, { code, reason }]) => `${code}: ${safeText(reason)}`,
    );
    return [...alike].map(
      ([why, all]) =>
        `${nameSome(
          all.map(([what]) => what),
          MAX_NAMED,
        )}: ${why}`,
    );
  }

  #unknown(names: readonly CloudName[]): CloudName[] {
    return names.filter((name) => {
      const key = keyOf(name);
      const isNew = !this.#known.has(key);
      this.#known.add(key);
      return isNew;
    });
  }

  async #get(name: CloudName): Promise<Json | undefined> {
    const { cloudType, identifier } = name;
    const found = await this.#read(name);
    if (found === 'no answer') return undefined;
    if (found === undefined) {
      this.#gone.push(name);
      return undefined;
    }
    const all = this.#resources.get(cloudType) ?? new Map<string, Json>();
    this.#resources.set(cloudType, all.set(identifier, found));
    return found;
  }

  #read(name: CloudName): Promise<Json | undefined | 'no answer'> {
    const key = keyOf(name);
    const { cloudType, identifier } = name;
    const read = async () => (await this.cloud.get(cloudType, identifier))?.properties;
    const call = this.#objects.get(key) ?? this.#ask(key, read);
    this.#objects.set(key, call);
    return call;
  }

  /** Answers the objects of a type that are meant. */
  async #find(search: Search): Promise<CloudName[]> {
    const { cloudType, enough, isMeant } = search;
    const meant = new Set<Listed>();
    const all = await this.#listing(search);
    await mapLimited(all, PARALLEL, async (one) => {
      const { identifier, properties } = one;
      // A list does not always tell enough of an object.
      const isOne =
        isMeant(properties) ?? (await this.#isMeant({ cloudType, identifier }, isMeant));
      if (!isOne) return;
      meant.add(one);
      if (enough?.every((name) => name in properties)) this.#keep({ cloudType, identifier }, one);
    });
    return all.filter((one) => meant.has(one)).map(({ identifier }) => ({ cloudType, identifier }));
  }

  #listing({ cloudType, what }: Search): Promise<readonly Listed[]> {
    const listing = this.#lists.get(cloudType) ?? this.#list(cloudType, `the list of ${what}`);
    this.#lists.set(cloudType, listing);
    return listing;
  }

  /** Takes an object from a list that says everything of it. */
  #keep(name: CloudName, { properties }: Listed): void {
    const key = keyOf(name);
    if (!this.#objects.has(key)) this.#objects.set(key, Promise.resolve(properties));
  }

  /** Lists a type until the calls are used up. */
  async #list(cloudType: string, what: string): Promise<Listed[]> {
    const all: Listed[] = [];
    const pages = this.cloud.pages(cloudType);
    for (;;) {
      const page = await this.#ask(what, () => pages.next());
      if (page === 'no answer' || page.done === true) return all;
      all.push(...page.value);
    }
  }

  async #isMeant(name: CloudName, isMeant: Search['isMeant']): Promise<boolean> {
    const found = await this.#read(name);
    return found !== 'no answer' && found !== undefined && isMeant(found) !== false;
  }

  async #ask<T>(what: string, call: () => Promise<T>): Promise<T | 'no answer'> {
    if (this.#reads >= this.maxReads) {
      this.#skipped.add(what);
      return 'no answer';
    }
    this.#reads += 1;
    try {
      const answer = await call();
      this.#answers += 1;
      return answer;
    } catch (error) {
      if (!(error instanceof CloudControlError)) throw error;
      this.#refused.set(what, error);
      return 'no answer';
    }
  }
}

/** The number of parts not read that are named. */
const MAX_NAMED = 20;

function keyOf({ cloudType, identifier }: CloudName): string {
  return `${cloudType.split('::').slice(1).join(' ')} ${identifier}`;
}
