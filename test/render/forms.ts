import type fc from 'fast-check';
import type { AccessModel } from '../../src/access/access-model.js';
import type { Target } from '../../src/render/model.js';
import { kubernetes } from '../../src/render/network-policies.js';
import { csv, fortigate, json, nftables, paloAlto } from '../../src/render/target-table.js';
import type { Evaluator } from './evaluators/evaluator.js';
import * as lists from './evaluators/lists.js';
import { nftables as runNftables } from './evaluators/nftables.js';
import * as policies from './evaluators/policies.js';
import * as tables from './evaluators/tables.js';
import { anyModel, MIXED, ONE_SERVICE } from './models.js';

/** A target with what tests need to know about it. */
export interface Form extends Traits {
  readonly name: string;
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly example: AccessModel;
  readonly models: fc.Arbitrary<AccessModel>;
}

/** The differences between the formats. */
interface Traits {
  /** The text that opens egress, and the same for ingress; absent if the firewall's own rule has direction and port. */
  readonly swap?: readonly [egress: string, ingress: string];
  /** A text without one of its lines cannot be parsed. */
  readonly needsEveryLine?: true;
}

const ONE = { subjects: ['agents'], icmp: true } as const;
const MANY = { subjects: ['agents', 'plugins'], icmp: true } as const;
const LIST = anyModel({ ...ONE, oneService: true });
const POLICIES = anyModel({ ...MANY, icmp: false });

const NFT: Traits = { swap: ['daddr', 'saddr'] };
const WORDS: Traits = { swap: ['egress', 'ingress'] };

export const FORMS: readonly Form[] = [
  form('nftables', nftables, runNftables, MIXED, anyModel(ONE), NFT),
  form('palo-alto', paloAlto, lists.paloAlto, ONE_SERVICE, LIST, {}),
  form('fortigate', fortigate, lists.fortigate, ONE_SERVICE, LIST, {}),
  form('kubernetes', kubernetes, policies.kubernetes, MIXED, POLICIES, WORDS),
  form('json', json, tables.json, MIXED, anyModel(MANY), { ...WORDS, needsEveryLine: true }),
  form('csv', csv, tables.csv, MIXED, anyModel(MANY), WORDS),
];

function form(
  name: string,
  target: Target,
  evaluator: Evaluator,
  example: AccessModel,
  models: fc.Arbitrary<AccessModel>,
  traits: Traits,
): Form {
  return { name, target, evaluator, example, models, ...traits };
}
