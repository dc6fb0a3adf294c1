import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { stepsText } from '../timeline/wording.js';

/**
 * A group that people attach by hand is another one after it is replaced, and nobody has that yet; of one
 * that goes, another may open the same for whoever has that.
 */
export function groupFindings(
  { replaced, passage }: Account,
  losses: readonly RehearsalFinding[],
): RehearsalFinding[] {
  const { before, steps, addresses } = passage;
  const attached = new Set(
    listResources(before, privatelinkVpcEndpoint).flatMap((one) =>
      readTexts(one, 'SecurityGroupIds'),
    ),
  );
  const groups = new Set(
    listResources(before, vpcSecurityGroup).map((one) => readText(one, 'SecurityGroupId')),
  );
  return steps.flatMap(({ operation, identifier = '', error, stack }, i): RehearsalFinding[] => {
    const isMeant = operation === 'DELETE' && groups.has(identifier) && !attached.has(identifier);
    if (!isMeant || error !== undefined) return [];
    const resource = addresses.get(identifier) ?? identifier;
    const from = i + 1;
    const isReplaced = replaced.some((one) => one.stack === stack && one.resource === resource);
    if (!isReplaced && losses.some((loss) => loss.from === from)) return [];
    const [what, next] = isReplaced ? ['replaced', 'the new group'] : ['deleted', 'another group'];
    const text = `${resource} is ${what}: what it allowed is closed ${stepsText(from, undefined)}, until people attach ${next} where the old one was`;
    const remedy =
      'in two deploys: first add a second group beside this one, and attach it; once no machine has the old one, remove it';
    return [{ kind: 'cut', stack, what: resource, text, from, remedy }];
  });
}
