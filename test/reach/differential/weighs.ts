import { type Json, obj } from './evaluator.js';

/** Names that decide neither who reaches whom nor what protects it. */
const LABELS =
  /^(?:\/\/|tags|description|remark|project_name|\w+_name|payer|bandwidth|bps|scheduler|health_check|max_entries|depends_on|zone_id|master_zone_id|slave_zone_id|create_before_destroy|replace_triggered_by|weight|ttl|error_message|load_balancer_spec|load_balancer_billing_type|modification_protection_reason)$/;

/** Names that look like labels and decide. */
const DECIDING = /^(?:service_name|zone_name)$/;

/** Attributes whose meaning is packets: the evaluator decides about them. */
const PACKETS =
  /^(?:ingress_permissions|egress_permissions|prefix_list_entries|acl_\w+|address_list|address_detail_list|permit_account_ids|security_group_ids|port|protocol|enabled|start_port|end_port|action|direction|source|source_type|destination|destination_type|proto|dest_port|dest_port_type|ip_type|prio|status|repeat_type|type|address_ip_version|group_type|auto_update_type|endpoint_id|cidr_block)$/;

/** An attribute of a resource of both trees that has changed, and that a person has to review. */
export function weightyChange(base: Json, head: Json): string | undefined {
  for (const [type, named] of Object.entries(obj(head.resource))) {
    const before = obj(obj(base.resource)[type]);
    for (const [name, body] of Object.entries(obj(named))) {
      if (!Object.hasOwn(before, name)) continue;
      const found = changedAttribute(obj(before[name]), obj(body));
      if (found !== undefined) return `${type}.${name}.${found}`;
    }
  }
  return ['provider', 'terraform', 'data'].find((one) => text(base[one]) !== text(head[one]));
}

/** Another value, or one more; one that is gone narrows, or is a matter of availability. */
function changedAttribute(before: Json, after: Json): string | undefined {
  return Object.keys(after)
    .filter((name) => DECIDING.test(name) || !(LABELS.test(name) || PACKETS.test(name)))
    .find((name) => atoms(after[name]).some((atom) => !atoms(before[name]).includes(atom)));
}

/** Members one by one, without labels in them: their order means nothing. */
function atoms(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  return (Array.isArray(value) ? value : [value]).map(text);
}

function text(value: unknown): string {
  return JSON.stringify(sorted(value) ?? null);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => JSON.stringify(sorted(one)) ?? '').sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  const { interpreter } = value as Json;
  // The command that follows is a title.
  const isTitled = Array.isArray(interpreter) && interpreter.at(-1) === '--title';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => DECIDING.test(name) || !LABELS.test(name))
      .filter(([name]) => !(isTitled && name === 'command'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
