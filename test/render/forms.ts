import type fc from 'fast-check';
import type { AccessModel } from '../../src/access/access-model.js';
import type { Target } from '../../src/render/model.js';
import { kubernetes } from '../../src/render/targets/network-policies.js';
import { nftables } from '../../src/render/targets/nftables.js';
import { csv, fortigate, json, paloAlto } from '../../src/render/targets/text-files.js';
import type { Evaluator } from './evaluators/evaluator.js';
import * as lists from './evaluators/lists.js';
import { nftables as runNftables } from './evaluators/nftables.js';
import * as policies from './evaluators/policies.js';
import * as tables from './evaluators/tables.js';
import { anyModel, MIXED, ONE_SERVICE } from './models.js';

/** A target with what tests need to know about it. */
export interface Form extends Traits {
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
  form(nftables, runNftables, MIXED, anyModel(ONE), NFT),
  form(paloAlto, lists.paloAlto, ONE_SERVICE, LIST, {}),
  form(fortigate, lists.fortigate, ONE_SERVICE, LIST, {}),
  form(kubernetes, policies.kubernetes, MIXED, POLICIES, WORDS),
  form(json, tables.json, MIXED, anyModel(MANY), { ...WORDS, needsEveryLine: true }),
  form(csv, tables.csv, MIXED, anyModel(MANY), WORDS),
];

function form(
  target: Target,
  evaluator: Evaluator,
  example: AccessModel,
  models: fc.Arbitrary<AccessModel>,
  traits: Traits,
): Form {
  return { target, evaluator, example, models, ...traits };
}
