import type { AccessModel } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { ConnectivityError } from '../codes/connectivity-error.js';

const FIELDS: Readonly<Record<string, (rule: AccessRule, value: string) => boolean>> = {
  via: (rule, value) => rule.via === value,
  direction: (rule, value) => rule.direction === value,
  subject: (rule, value) => rule.subject === value,
  peer: (rule, value) => rule.peer.kind === value,
  protocol: (rule, value) => rule.protocol === value,
  port: ({ ports }, value) => ports.first === Number(value) && ports.last === Number(value),
};

/**
 * The model with the rules that one of the filters lets through; without a filter, all.
 *
 * @param filters `via=fixed-ip,direction=egress`: every part must hold
 * @throws ConnectivityError `usage.invalid`
 */
export function selectRules(model: AccessModel, filters: readonly string[]): AccessModel {
  if (filters.length === 0) return model;
  const tests = filters.map(parseFilter);
  const rules = model.rules.filter((rule) => tests.some((holds) => holds(rule)));
  if (rules.length > 0) return { ...model, rules };
  throw new ConnectivityError(
    'usage.invalid',
    `\`--rules\` must leave at least one of ${model.rules.length} rules, got: "${filters.join('" and "')}"`,
  );
}

function parseFilter(filter: string): (rule: AccessRule) => boolean {
  const parts = filter.split(',').map((part) => {
    const [, name = '', value = ''] = /^([^=]*)=(.+)$/.exec(part) ?? [];
    const test = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (test !== undefined) return (rule: AccessRule) => test(rule, value);
    throw new ConnectivityError(
      'usage.invalid',
      `\`--rules\` must be FIELD=VALUE with commas between, FIELD one of ${Object.keys(FIELDS).join(', ')}, got: "${part}"`,
    );
  });
  return (rule) => parts.every((holds) => holds(rule));
}
