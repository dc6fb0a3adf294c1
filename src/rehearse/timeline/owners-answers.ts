import { clbClb } from '../../cloud/table/clb.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { toName } from '../../reach/read/cloud-state.js';
import { jointAnswers, readAnswers } from '../../reach/rules/stated-answers.js';
import { ANSWERS_OUTPUT, type StatedAnswers } from '../../reach/semantics.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';

/** Reads the owner's answers from the base alone, for the head is not approved yet. */
export function answersOf([base = []]: readonly RehearsedTree[]): StatedAnswers {
  return jointAnswers(base.map(({ terraform }) => readAnswers(terraform.outputs)));
}

/** Writes which groups the servers behind load balancers have, as outputs of a stack. */
export function backendOutputs(
  { backendGroups = new Map() }: Pick<ServiceNames, 'backendGroups'>,
  nameOf: (id: string) => string = toName,
) {
  const outputs = [...backendGroups].flatMap(([balancer, group], i) => [
    [`${i}-load-balancer-id`, `\${${clbClb.type}.${nameOf(balancer)}.id}`] as const,
    [`${i}-backend-security-group-id`, `\${${vpcSecurityGroup.type}.${nameOf(group)}.id}`] as const,
  ]);
  return Object.fromEntries(outputs.map(([name, value]) => [name, { value }]));
}

/** The same as an output of a stack. */
export function answersOutput(answers: StatedAnswers) {
  return { [ANSWERS_OUTPUT]: { value: answers } };
}
