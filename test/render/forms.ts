import type fc from 'fast-check';
import type { AccessModel } from '../../src/access/access-model.js';
import type { Target } from '../../src/render/model.js';
import { fortigate, paloAlto } from '../../src/render/targets/address-feeds.js';
import { iptables } from '../../src/render/targets/iptables.js';
import { cilium, kubernetes } from '../../src/render/targets/network-policies.js';
import { nftables } from '../../src/render/targets/nftables.js';
import { csv, json } from '../../src/render/targets/rule-files.js';
import type { Evaluator } from './evaluators/evaluator.js';
import { iptables as runIptables } from './evaluators/iptables.js';
import * as lists from './evaluators/lists.js';
import { nftables as runNftables } from './evaluators/nftables.js';
import * as policies from './evaluators/policies.js';
import * as tables from './evaluators/tables.js';
import { anyModel, MIXED, ONE_SERVICE } from './models.js';

/** A target with what tests need to know about it. */
export interface Form {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly example: AccessModel;
  readonly models: fc.Arbitrary<AccessModel>;
}

const ONE = { subjects: ['agents'], icmp: true } as const;
const MANY = { subjects: ['agents', 'plugins'], icmp: true } as const;

export const FORMS: readonly Form[] = [
  form(nftables, runNftables, MIXED, anyModel(ONE)),
  form(iptables, runIptables, MIXED, anyModel(ONE)),
  form(paloAlto, lists.paloAlto, ONE_SERVICE, anyModel({ ...ONE, oneService: true })),
  form(fortigate, lists.fortigate, ONE_SERVICE, anyModel({ ...ONE, oneService: true })),
  form(kubernetes, policies.kubernetes, MIXED, anyModel({ ...MANY, icmp: false })),
  form(cilium, policies.cilium, MIXED, anyModel({ ...MANY, icmp: false })),
  form(json, tables.json, MIXED, anyModel(MANY)),
  form(csv, tables.csv, MIXED, anyModel(MANY)),
];

function form(
  target: Target,
  evaluator: Evaluator,
  example: AccessModel,
  models: fc.Arbitrary<AccessModel>,
): Form {
  return { target, evaluator, example, models };
}
