import type { Verdict } from '../packet-rule.js';
import { firstAddress } from '../read/address.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { unclearRule } from '../rules/peers.js';
import { type ResourceIndex, type RuleList, toNumber } from '../rules/reading.js';

/** Tells whether Terraform makes none of a resource, for certain. */
export function isNone({ count }: TerraformResource['body']): boolean {
  return toNumber(count) === 0;
}

/** Asks whether there is any of a resource: its `count` or `for_each` may come out as none. */
export function askWhetherAny(address: string, index: ResourceIndex): string | undefined {
  const { count, for_each: each } = index.at(address)?.body ?? {};
  const isUncertain = each !== undefined || (count !== undefined && (toNumber(count) ?? 0) < 1);
  return isUncertain ? `Is there any ${address}?` : undefined;
}

/** Doubts the rules of resources of which there may be none, and of all that they are attached to. */
export function doubtInstances(list: RuleList, index: ResourceIndex): RuleList {
  const doubted = (rule: Verdict): Verdict => {
    const doubt = askWhetherAny(rule.resource, index);
    return doubt === undefined ? rule : { ...rule, doubt };
  };
  const carrier = firstAddress(list.carrier);
  const doubt = askWhetherAny(carrier, index);
  const unclear = doubt === undefined ? [] : [unclearRule(carrier, doubt, 'drop', 'no')];
  return {
    ...list,
    rules: list.rules.map(doubted),
    unclear: [...(list.unclear ?? []), ...unclear],
  };
}
