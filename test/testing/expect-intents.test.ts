import { TerraformResource, TerraformStack } from 'cdktf';
import { expect, test } from 'vitest';
import { expectIntents } from '../../src/testing/index.js';
import { addEndpoint, testingApp } from '../support/testing-app.js';

const CALLS = {
  name: 'branches call',
  from: '10.30.1.0/24',
  to: 'agents',
  port: 443,
  expect: 'reachable',
} as const;

function stackWith(securityGroupIds?: readonly string[]): TerraformStack {
  const stack = new TerraformStack(testingApp(), 'test');
  addEndpoint(stack, 'agents', securityGroupIds);
  return stack;
}

test('intents that hold pass', () => {
  expectIntents(stackWith(), {
    intents: [
      CALLS,
      { ...CALLS, name: 'nobody else', from: { not: ['10.30.1.0/24'] }, expect: 'closed' },
    ],
  });
});

test('one that is broken throws with one packet and the rule that lets it through', () => {
  const closed = { ...CALLS, name: 'nobody calls', expect: 'closed' } as const;
  expect(() => expectIntents(stackWith(), { intents: [CALLS, closed] })).toThrow(
    /"nobody calls" is broken: 10\.30\.1\.\d+ → agents:443, let through by volcenginecc_vpc_security_group\./,
  );
  const other = { ...CALLS, name: 'others call', from: '10.30.2.0/24' };
  expect(() => expectIntents(stackWith(), { intents: [other] })).toThrow(
    /"others call" is broken: 10\.30\.2\.\d+ → agents:443/,
  );
});

test('one that a group made elsewhere decides is not decided, and throws', () => {
  const closed = { ...CALLS, name: 'nobody else', from: '10.30.2.0/24', expect: 'closed' } as const;
  expect(() => expectIntents(stackWith(['sg-elsewhere1']), { intents: [closed] })).toThrow(
    /"nobody else" is not decided[\s\S]*sg-elsewhere1/,
  );
});

test('a name that nothing has is an error, and no pass', () => {
  const wrong = { ...CALLS, to: 'agnets' };
  expect(() => expectIntents(stackWith(), { intents: [wrong] })).toThrow(
    /got: "agnets"; did you mean "agents"\?/,
  );
});

test('intents none of which applies are an error, and no pass', () => {
  const intents = [{ ...CALLS, environments: ['live'] }];
  expect(() => expectIntents(stackWith(), { intents })).toThrow(
    /`environment` must be one to which/,
  );
  expect(() => expectIntents(stackWith(), { intents }, 'lvie')).toThrow(/got: "lvie"/);
  expectIntents(stackWith(), { intents }, 'live');
});

test('a stack with a resource that has moved is asked as often as one likes', () => {
  const stack = new TerraformStack(testingApp(), 'test');
  addEndpoint(stack, 'agents');
  const [resource] = stack.node.findAll().filter(TerraformResource.isTerraformResource);
  resource?.moveFromId(`${resource.terraformResourceType}.former`);
  for (const _ of [1, 2]) expectIntents(stack, { intents: [CALLS] });
});

test('code that runs while the stack is written leaves every intent undecided', () => {
  const stack = stackWith();
  const value = { onSynthesize: () => undefined };
  Object.defineProperty(stack, Symbol.for('cdktf/customSynthesis'), { value });
  const others = { not: ['10.30.1.0/24'] };
  const closed = { ...CALLS, name: 'nobody else', from: others, expect: 'closed' as const };
  for (const intent of [CALLS, closed]) {
    expect(() => expectIntents(stack, { intents: [intent] })).toThrow(
      'it runs code while the stack is synthesized',
    );
  }
});
