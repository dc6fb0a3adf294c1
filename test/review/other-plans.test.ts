import { describe, expect, test } from 'vitest';
import { readPlan } from '../../src/review/plan/review-plan.js';
import { planText } from './plans.js';
import { stackOf } from './trees.js';

const LIST = 'volcenginecc_vpc_prefix_list.own';
const body = {
  ip_version: 'IPv4',
  prefix_list_entries: [{ cidr: '${var.workers}', description: 'pass-word-1' }],
};
const resource = { volcenginecc_vpc_prefix_list: { own: body } };
const tree = {
  terraform: { required_providers: { volcenginecc: { source: 'volcengine/volcenginecc' } } },
  provider: { volcenginecc: [{ region: 'cn-beijing' }] },
  variable: { workers: { default: '10.0.0.0/8' } },
  resource,
};
const text = planText(resource);
const root = {
  provider_config: {
    volcenginecc: {
      full_name: 'registry.terraform.io/volcengine/volcenginecc',
      expressions: { region: { constant_value: 'cn-beijing' } },
    },
  },
  variables: { workers: { default: '10.0.0.0/8' } },
};

interface Parts {
  readonly providers?: object;
  readonly variables?: object;
  readonly resource?: typeof resource | Record<string, never>;
  readonly more?: Record<string, unknown>;
}

/** A plan of the tree, but for what is given. */
function planWith({
  providers = root.provider_config,
  variables = root.variables,
  resource: own = resource,
  more = {},
}: Parts): string {
  const plan = JSON.parse(planText(own, {}, more));
  plan.configuration.provider_config = providers;
  plan.configuration.root_module.variables = variables;
  return JSON.stringify(plan);
}

const read = (json: string) => () => readPlan(json, stackOf([], tree), 'plans/own.json');
const [planned] = JSON.parse(text).resource_changes;
const provider = root.provider_config.volcenginecc;
const otherBody = { ...body, ip_version: 'IPv6' };

test('a plan of the tree is read', () => {
  expect(read(planWith({}))().totals).toMatchObject({ add: 1 });
});

describe('refused in one line, without a value of the plan', () => {
  test.each<[what: string, json: string, message: string]>([
    ['an empty file', '', 'no JSON in plans/own.json'],
    ['HTML', '<html>pass-word-1</html>', 'no JSON in plans/own.json'],
    ['a plan in binary', 'PK\u0003\u0004pass-word-1', 'the plan itself, plans/own.json'],
    ['null', 'null', 'another JSON'],
    ['a list', '["pass-word-1"]', 'another JSON'],
    ['a number too large', '1e400', 'another JSON'],
    ['a state', '{"format_version":"1.0","values":{"root_module":{}}}', 'a state is no plan'],
    [
      'a file of a state',
      '{"version":4,"serial":1,"lineage":"x","resources":[]}',
      'a state is no plan',
    ],
    ['JSON in many levels', '['.repeat(100_000) + ']'.repeat(100_000), 'at most 200 levels'],
    [
      'values in many levels',
      planWith({
        more: { resource_changes: [{ ...planned, change: { actions: [], after: nested(500) } }] },
      }),
      'at most 200 levels',
    ],
    ['a plan that failed', planWith({ more: { errored: true } }), 'an error in plans/own.json'],
    ['another stack', planWith({ resource: {} }), `${LIST} is missing`],
    [
      'more than the tree has',
      planWith({ resource: { volcenginecc_vpc_prefix_list: { own: body, added: body } } as never }),
      'volcenginecc_vpc_prefix_list.added is new',
    ],
    [
      'an attribute that was written otherwise',
      planWith({ resource: { volcenginecc_vpc_prefix_list: { own: otherBody } } }),
      `ip_version of ${LIST} is another`,
    ],
    [
      'an expression that was written otherwise',
      planWith({}).replaceAll('${var.workers}', '${var.others}'),
      `prefix_list_entries of ${LIST} is another`,
    ],
    [
      'another default of a variable',
      planWith({ variables: { workers: { default: '10.0.0.0/9' } } }),
      'the default of variable.workers is another',
    ],
    [
      'another region',
      planWith({
        providers: {
          volcenginecc: { ...provider, expressions: { region: { constant_value: 'x' } } },
        },
      }),
      'region of provider.volcenginecc is another',
    ],
    [
      'another program under the same name',
      planWith({
        providers: { volcenginecc: { ...provider, full_name: 'example.com/a/volcenginecc' } },
      }),
      'another provider is called volcenginecc',
    ],
    [
      'another configuration of the provider',
      planWith({}).replace(
        '"provider_config_key":"volcenginecc"',
        '"provider_config_key":"volcenginecc.b"',
      ),
      `${LIST} has another provider`,
    ],
    [
      'a plan with targets, or of a refresh',
      planWith({ more: { resource_changes: [] } }),
      `${LIST} is not planned`,
    ],
    [
      'a plan of a destroy',
      planWith({
        more: { resource_changes: [{ ...planned, change: { actions: ['delete'], after: null } }] },
      }),
      `${LIST} is not planned`,
    ],
  ])('%s', (_, json, message) => {
    const reading = read(json);
    expect(reading).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    expect(reading).toThrow(message);
    expect(reading).toThrow(/^`--plan` must be [^\n]*, got: [^\n]*plans\/own\.json[^\n]*$/);
    expect(reading).not.toThrow(/pass-word-1|10\.0\.0\.0/);
  });
});

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}
