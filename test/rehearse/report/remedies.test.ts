import { describe, expect, test } from 'vitest';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import type { RehearsedTree } from '../../../src/rehearse/read-trees.js';
import { avoidCut, avoidOpening, type Lost } from '../../../src/rehearse/report/remedies.js';
import type { TimelineStep } from '../../../src/rehearse/report-schema.js';
import { NOTHING_UNDERSTOOD } from '../understood.js';

const step = (
  number: number,
  operation: TimelineStep['operation'],
  type: string,
): TimelineStep => ({
  number,
  stack: 'api',
  resource: `volcenginecc.${type}`,
  type: `Volcengine::${type}`,
  operation,
  text: '',
  effects: [],
});

const LOST: Lost = { kind: 'link', isForGood: false, after: 'same' };

function remedy(steps: readonly TimelineStep[], lost: Partial<Lost> = {}): string {
  return avoidCut({ step: steps[0], steps, head: [] }, { ...LOST, ...lost });
}

describe('the remedy of a cut', () => {
  test('is `create_before_destroy` where the cloud lets two be there', () => {
    const replaced = [step(1, 'delete', 'CLB::CLB'), step(2, 'create', 'CLB::CLB')];
    expect(remedy(replaced)).toMatch(/^give volcenginecc.CLB::CLB the lifecycle `create_before_d/);
  });

  test('is no `create_before_destroy` for the records of a zone that is replaced', () => {
    const kinds = ['PrivateZone::Record', 'PrivateZone::PrivateZone'];
    const replaced = [
      ...kinds.map((type, i) => step(i + 1, 'delete', type)),
      ...kinds.toReversed().map((type, i) => step(i + 3, 'create', type)),
    ];
    expect(remedy(replaced)).toMatch(/^change it in a maintenance window: a VPC cannot have two/);
    const alone = replaced.filter(({ type }) => type.endsWith('Record'));
    expect(remedy(alone)).toMatch(/^give volcenginecc.PrivateZone::Record the lifecycle/);
  });

  test('names a link that is open throughout', () => {
    const open = { name: 'endpoint', baseUrl: 'https://ep.example' };
    expect(remedy([step(1, 'update', 'PrivateLink::VpcEndpoint')], { open })).toMatch(
      /^let clients call endpoint \(https:\/\/ep.example\), which is open throughout; or in two dep/,
    );
  });

  test.each([
    ['link', 'another', /^in two deploys: first add a second endpoint with the change/],
    ['plugin', 'another', /^in two deploys: first add a second private plugin with the change/],
    [
      'link',
      'same',
      /^move these clients away before the deploy, or keep the rule that allows them$/,
    ],
    ['link', 'gone', /^move every client to another link before the deploy$/],
    ['plugin', 'gone', /^let the plugin be called over another private connection before/],
  ] as const)('for good: a %s that is %s afterwards', (kind, after, says) => {
    const closed = [step(1, 'update', 'VPC::SecurityGroup')];
    expect(remedy(closed, { kind, after, isForGood: true })).toMatch(says);
  });
});

test('for good: a link whose name leads elsewhere keeps the name, and no rule', () => {
  const lost = { kind: 'link', after: 'same', isForGood: true, isOfName: true } as const;
  expect(remedy([step(1, 'update', 'PrivateZone::Record')], lost)).toMatch(
    /^move these clients away before the deploy, or keep the name where it leads$/,
  );
});

test('the remedy of an opening is an order only where Terraform can have it', () => {
  const [opens, closes] = [
    'volcenginecc_vpc_prefix_list.callers',
    'volcenginecc_vpc_security_group.orders',
  ];
  const steps = [opens, closes].map((resource, i) => ({
    ...step(i + 1, 'update', 'VPC::PrefixList'),
    resource,
  }));
  const head = (prefix_list_id: string): RehearsedTree => {
    const ingress_permissions = [{ prefix_list_id }];
    const group = { volcenginecc_vpc_security_group: { orders: { ingress_permissions } } };
    return [
      {
        name: 'api',
        folder: '',
        terraform: readTerraform({ resource: group }),
        understood: NOTHING_UNDERSTOOD,
      },
    ];
  };
  const remedyIn = (tree: RehearsedTree) =>
    avoidOpening({ step: steps[0], steps, head: tree }, steps[1]);
  expect(remedyIn(head(`\${${opens}.prefix_list_id}`))).toMatch(/^make the change in two deploys/);
  expect(remedyIn(head('pl-1a2b'))).toMatch(
    /^let volcenginecc_vpc_prefix_list.callers change after/,
  );
});
