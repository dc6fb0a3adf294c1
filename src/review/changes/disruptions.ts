import { type Attribute, RESOURCE_ROWS, type Row } from '../../cloud/table/index.js';
import { object } from '../read/json.js';
import {
  references,
  type TerraformResource,
  type TerraformStackJson,
} from '../read/terraform-json.js';
import type { Disruption } from '../report-schema.js';
import type { StackPair } from '../stacks/align-trees.js';

const ROWS: ReadonlyMap<string, Row> = new Map(RESOURCE_ROWS.map((row) => [row.type, row]));

export function findDisruptions({ name: stack, was, now: after }: StackPair): Disruption[] {
  const pairs = pairResources(was, after);
  const replaced = replacements(pairs);
  return pairs.flatMap(({ old, now }): Disruption[] => {
    const effects = EFFECTS[old.type];
    if (effects === undefined) return [];
    const disruption = { stack, resource: old.address, isRefused: false };
    if (now === undefined) {
      return [{ ...disruption, action: 'removed', because: [], effect: effects.removed }];
    }
    const because = replaced.get(now.address) ?? [];
    if (because.length > 0) {
      const effect = effects.replaced;
      const isRefused = object(now.body.lifecycle).prevent_destroy === true;
      return [{ ...disruption, action: 'replaced', because, effect, isRefused }];
    }
    return Object.entries(effects.changed ?? {})
      .filter(([name]) =>
        differs(old.body[name], now.body[name], ROWS.get(old.type)?.attributes[name]),
      )
      .map(([name, effect]) => ({ ...disruption, action: 'changed', because: [name], effect }));
  });
}

interface Counterparts {
  readonly old: TerraformResource;
  readonly now?: TerraformResource;
}

function pairResources(before: TerraformStackJson, after: TerraformStackJson): Counterparts[] {
  const byAddress = new Map(after.resources.map((resource) => [resource.address, resource]));
  return before.resources
    .filter(({ kind }) => kind === 'resource')
    .map((resource) => {
      const now = byAddress.get(after.movedTo.get(resource.address) ?? resource.address);
      const old = { ...resource, body: renamed(resource.body, after.movedTo) };
      return now === undefined ? { old } : { old, now };
    });
}

/** References to resources that only got another address are no change. */
function renamed(body: TerraformResource['body'], movedTo: ReadonlyMap<string, string>) {
  if (movedTo.size === 0) return body;
  let json = JSON.stringify(body);
  for (const [from, to] of movedTo) json = json.replaceAll(`\${${from}.`, `\${${to}.`);
  return object(JSON.parse(json));
}

/** Which resources Terraform makes anew, and by which attributes: also those that refer to such. */
function replacements(pairs: readonly Counterparts[]): ReadonlyMap<string, string[]> {
  const replaced = new Map<string, string[]>();
  for (let size = -1; size < replaced.size; ) {
    size = replaced.size;
    for (const { old, now } of pairs) {
      if (now === undefined || replaced.has(now.address)) continue;
      const because = replacing(old, now, replaced);
      if (because.length > 0) replaced.set(now.address, because);
    }
  }
  return replaced;
}

function replacing(
  old: TerraformResource,
  now: TerraformResource,
  replaced: ReadonlyMap<string, unknown>,
): string[] {
  return Object.entries(ROWS.get(old.type)?.attributes ?? {}).flatMap(([name, attribute]) => {
    if (attribute.replaces !== true || now.body[name] === undefined) return [];
    const isNew = references(now.body[name]).some((address) => replaced.has(address));
    return isNew || differs(old.body[name], now.body[name], attribute) ? [name] : [];
  });
}

/**
 * An attribute that is no longer given goes back to what the provider plans, or else keeps its
 * value; one that is now given had its default.
 */
function differs(old: unknown, now: unknown, attribute: Attribute | undefined): boolean {
  const planned = attribute?.default;
  const isKept = attribute?.mode === 'optional-computed' && planned === undefined;
  if (now === undefined && isKept) return false;
  const fallback = planned ?? attribute?.cloudDefault;
  return canonical(old ?? fallback) !== canonical(now ?? fallback);
}

/** Members of a set in one order: the provider's lists of rules and zones are sets. */
function canonical(value: unknown): string {
  return Array.isArray(value)
    ? JSON.stringify(value.map((member) => JSON.stringify(member)).sort())
    : JSON.stringify(value ?? null);
}

/** What it means for connections and clients when a resource goes away or changes. */
interface Effects {
  readonly removed: string;
  /** Terraform destroys it and makes another. */
  readonly replaced: string;
  /** Removed or replaced, it cuts every client or call that there is. */
  readonly cutsAll?: true;
  /** By attribute: what a change in place means. */
  readonly changed?: Readonly<Record<string, string>>;
}

export const EFFECTS: Readonly<Record<string, Effects>> = {
  volcenginecc_privatelink_vpc_endpoint: {
    cutsAll: true,
    removed: 'the endpoint and its domain go away: every client of the domain is cut off',
    replaced:
      'a new endpoint with a new domain: every client is cut off until it calls the new domain',
    changed: {
      zones: 'addresses of the endpoint come or go with its zones',
      security_group_ids: 'other groups decide who may use the endpoint',
      private_dns_enabled: 'the names that resolve to the endpoint change',
    },
  },
  volcenginecc_privatelink_endpoint_service: {
    cutsAll: true,
    removed: 'every connection to the backend is cut, and the service id is gone for good',
    replaced:
      'a new service id: every connection is cut, and each must be created and accepted again',
    changed: {
      permit_account_ids:
        'other accounts may ask for connections; existing connections are not cut',
      resources: 'calls go to another backend',
      private_dns_name: 'the name that the service calls the backend by changes',
      private_dns_enabled: 'the name that the service calls the backend by changes',
    },
  },
  volcenginecc_privatelink_vpc_endpoint_connection: {
    removed: 'the connection is rejected: calls over it are cut at once',
    replaced: 'the connection is cut, and another one is accepted',
  },
  volcenginecc_vpc_vpc: {
    cutsAll: true,
    removed: 'the network goes away with everything in it',
    replaced: 'a new network: everything in it is recreated, and connections are cut',
  },
  volcenginecc_vpc_subnet: {
    removed: 'addresses of endpoints in the zone go away',
    replaced: 'endpoints in the zone get new addresses: connections to the old ones are cut',
  },
  volcenginecc_vpc_security_group: {
    removed: 'what it allowed is closed',
    replaced: 'a new group takes its place; until it is attached, what it allowed is closed',
  },
  volcenginecc_vpc_prefix_list: {
    removed: 'rules that used the list allow nothing',
    replaced: 'until the new list is used, its rules allow nothing',
  },
  volcenginecc_clb_clb: {
    cutsAll: true,
    removed: 'calls to the backend fail',
    replaced: 'calls to the backend fail until the new load balancer is connected',
  },
  volcenginecc_clb_listener: {
    cutsAll: true,
    removed: 'calls to the port fail',
    replaced: 'calls to the port fail until the new listener is there',
    changed: {
      server_group_id: 'calls go to another backend',
      enabled: 'the port opens or closes',
    },
  },
  volcenginecc_clb_server_group: {
    removed: 'calls to the backend fail',
    replaced: 'calls to the backend fail until the new group serves',
    changed: { servers: 'calls go to other servers' },
  },
  volcenginecc_clb_acl: {
    removed: 'the listener no longer knows whom to allow',
    replaced: 'until the new list is used, the listener allows nobody',
  },
  volcenginecc_fwcenter_control_policy: {
    removed: 'Cloud Firewall decides by its other policies',
    replaced: 'between the old policy and the new one, Cloud Firewall decides by its others',
  },
  volcenginecc_fwcenter_address_book: {
    removed: 'policies that used the book match nothing',
    replaced: 'until the new book is used, its policies match nothing',
  },
  volcenginecc_privatezone_private_zone: {
    cutsAll: true,
    removed: 'its names resolve as they do on the internet again',
    replaced: 'its names resolve as on the internet until the new zone answers',
    changed: { vpcs: 'its names resolve in other networks' },
  },
  volcenginecc_privatezone_record: {
    removed: 'the name no longer resolves to the endpoint: its clients leave the private path',
    replaced: 'the name does not resolve for a moment',
    changed: {
      host: 'clients must use another name',
      type: 'the name resolves in another way',
      value: 'the name resolves to something else',
      enable: 'the name starts or stops resolving',
    },
  },
};
