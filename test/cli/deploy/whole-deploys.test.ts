import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HAS_TERMINAL, runInTerminal } from '../../support/run-in-terminal.js';
import { TerraformProject, valueStack } from '../../support/terraform-project.js';

const annotation = (level: string) => ({
  constructPath: 'one/thing',
  level: `@cdktf/${level}`,
  message: 'is old',
});

test('a deploy applies what the app writes, a destroy takes it away, and no plan is left', async () => {
  const project = new TerraformProject({ one: valueStack('one', 'first') });
  const deployed = await project.deploy();
  expect(deployed.status, deployed.output).toBe(0);
  expect(deployed.output).toContain('Apply complete! Resources: 1 added');
  expect(deployed.stderr).toContain('secure-connectivity: one: Deploy complete!\n');
  expect(project.outputs('one')).toEqual({ value: 'first' });
  const destroyed = await project.destroy(['one']);
  expect(destroyed.status, destroyed.output).toBe(0);
  expect(destroyed.output).toContain('1 destroyed');
  expect(readdirSync(join(project.folder, 'plans'))).toEqual([]);
});

test('stacks are deployed after those that they depend on or whose state they read', async () => {
  const read = {
    data: {
      terraform_remote_state: {
        first: { backend: 'local', config: { path: '../../../b.tfstate' } },
      },
    },
  };
  const project = new TerraformProject({
    a: { ...valueStack('a', 'of a'), dependencies: ['c'] },
    c: valueStack('c', '${data.terraform_remote_state.first.outputs.value}', read),
    b: valueStack('b', 'of b'),
  });
  const { status, stderr, output } = await project.deploy(['*']);
  expect(status, output).toBe(0);
  expect(stderr.match(/\w: Deploy complete/g)).toEqual(
    ['b', 'c', 'a'].map((name) => `${name}: Deploy complete`),
  );
  expect(project.outputs('c')).toEqual({ value: 'of b' });
  const destroyed = await project.destroy(['?']);
  expect(destroyed.stderr.match(/\w: Destroy complete/g)).toEqual(
    ['a', 'c', 'b'].map((name) => `${name}: Destroy complete`),
  );
});

test('what comes after a stack that failed is not deployed, and everything else is', async () => {
  const wrong = valueStack('a', '${file("/no/such/file")}');
  const project = new TerraformProject({
    a: wrong,
    b: { ...valueStack('b', 1), dependencies: ['a'] },
    c: valueStack('c', 2),
  });
  const { status, output } = await project.deploy(['{a,b}', 'c', '--outputs-file', 'outputs.json']);
  expect(status, output).toBe(1);
  expect(output).toContain('not deployed: b\n');
  expect(output).toContain('c: Deploy complete!');
  expect(project.has('outputs.json')).toBe(false);
});

test.each([
  ['deploy', 'b', 'must include the stacks that the others depend on, got: none of a;'],
  ['destroy', 'a', 'must include the stacks that depend on the others, got: none of b;'],
] as const)('%s of a stack without what belongs to it is refused unless that is wanted', async (verb, stack, message) => {
  const project = new TerraformProject({
    a: valueStack('a', 1),
    b: { ...valueStack('b', 2), dependencies: ['a'] },
  });
  const refused = await project[verb]([stack]);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain(message);
  const done = await project[verb]([stack, '--ignore-missing-stack-dependencies']);
  expect(done.status, done.output).toBe(0);
});

test('a name that is not there lists the stacks', async () => {
  const project = new TerraformProject({
    api: valueStack('api', 1),
    plugin: valueStack('plugin', 2),
  });
  expect(await project.deploy(['apj'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('got: "apj"; the stacks are: api, plugin\n'),
  });
  expect(await project.deploy()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("or all with '*', got: nothing; the stacks are: api, plugin\n"),
  });
});

test('without a terminal and --auto-approve nothing is done', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const { status, stderr } = await project.run(['deploy']);
  expect(status).toBe(2);
  expect(stderr).toContain('`--auto-approve` is required without a terminal');
  expect(project.has('cdktf.out')).toBe(false);
});

test.skipIf(!HAS_TERMINAL).each([
  ['no', 'no\n', 1, 'the plan was not approved'],
  ['Ctrl-C', '\u0003', 130, 'interrupted before its plan was applied'],
])('%s at the question changes nothing, and that is said', async (_, answer, exit, why) => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  const args = ['deploy', '--adopt', 'off', '--tree', join(project.folder, 'tree')];
  const asked = await runInTerminal(args, { answer });
  expect([asked.exit, asked.screen]).toEqual([
    exit,
    expect.stringContaining(`one was not changed: ${why}`),
  ]);
  expect(project.has('one.tfstate')).toBe(false);
});

test('a warning of a construct is shown, and an error stops the deploy', async () => {
  const project = new TerraformProject({
    one: { ...valueStack('one', 1), annotations: [annotation('warn')] },
  });
  const warned = await project.deploy();
  expect(warned).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('WARN [one/thing]: is old\n'),
  });
  project.change({
    stacks: { one: { ...valueStack('one', 2), annotations: [annotation('error')] } },
  });
  const stopped = await project.deploy();
  expect(stopped).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('ERROR [one/thing]: is old\n'),
  });
  expect(project.outputs('one')).toEqual({ value: 1 });
});

test('an app that fails ends the deploy with its status, and what it said', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  project.change({ says: 'this is wrong', exit: 7 });
  const { status, stderr } = await project.deploy();
  expect(status).toBe(7);
  expect(stderr).toContain('this is wrong\n');
  expect(stderr).toContain('the app ended with exit code 7, and nothing was changed');
});

test('an app that writes no tree is not taken for the one that wrote the tree before', async () => {
  const project = new TerraformProject({ one: valueStack('one', 1) });
  expect((await project.deploy()).status).toBe(0);
  const { status, stderr } = await project.deploy(['--app', 'true']);
  expect(status).toBe(2);
  expect(stderr).toContain('`app` must write its stacks');
});

test('a plan is kept where only its owner can read it', async () => {
  const wait = {
    provisioner: [{ 'local-exec': { command: 'ls -ld ../../../plans/*; ls ../../../plans/*' } }],
  };
  const json = valueStack('one', 1).json as { resource: object };
  const project = new TerraformProject({
    one: { json: { ...json, resource: { terraform_data: { value: { input: 1, ...wait } } } } },
  });
  const { status, output } = await project.deploy();
  expect(status, output).toBe(0);
  expect(output).toMatch(/\(local-exec\): drwx------ .*plans\/secure-connectivity-deploy/);
  expect(statSync(join(project.folder, 'plans')).isDirectory()).toBe(true);
  expect(readdirSync(join(project.folder, 'plans'))).toEqual([]);
});
