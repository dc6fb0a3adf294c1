import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TerraformProject, valueStack } from '../../support/terraform-project.js';

/** Records the environment of each run of Terraform, under the name of its command. */
const RECORDER = `#!/bin/sh
tr '\\0' '\\n' < /proc/self/environ >> "$RECORDS/$1"
exec terraform "$@"
`;

/** What a check finds in its environment, and in the file that it names. */
const CHECK = 'env > ../../../check; cp -p "$SECURE_CONNECTIVITY_CHECK_KEY_FILE" ../../../key';

const KEY = '-----BEGIN PRIVATE KEY-----\nsecretOfTheKey\n-----END PRIVATE KEY-----\n';

const SECRETS = {
  SECURE_CONNECTIVITY_PRIVATE_KEY: KEY,
  VOLCENGINE_ACCESS_KEY: 'secretOfTheCloud1',
  VOLCENGINE_SECRET_KEY: 'secretOfTheCloud2',
  VOLCENGINE_SESSION_TOKEN: 'secretOfTheCloud3',
};

/** Deploys twice, the second time with a change, and destroys. */
async function recorded(env: NodeJS.ProcessEnv) {
  const stack = (value: string) =>
    valueStack('one', value, {
      resource: {
        terraform_data: {
          value: { input: value, provisioner: [{ 'local-exec': { command: CHECK } }] },
          again: {
            triggers_replace: value,
            depends_on: ['terraform_data.value'],
            provisioner: [{ 'local-exec': { command: CHECK } }],
          },
        },
      },
    });
  const project = new TerraformProject({ one: stack('first') });
  project.write('recorder', RECORDER, 0o755);
  mkdirSync(join(project.folder, 'records'));
  const all = {
    ...env,
    TERRAFORM_BINARY_NAME: './recorder',
    RECORDS: join(project.folder, 'records'),
  };
  for (const value of ['first', 'second']) {
    project.change({ stacks: { one: stack(value) } });
    const { status, output } = await project.deploy(
      ['--adopt', 'stop', '--outputs-file', 'outputs.json'],
      all,
    );
    expect(status, output).toBe(0);
  }
  const { status, output } = await project.destroy([], all);
  expect(status, output).toBe(0);
  return project;
}

test('the text of the key reaches the check, and no Terraform, provider or app', async () => {
  const project = await recorded(SECRETS);
  const folder = join(project.folder, 'records');
  const commands = readdirSync(folder).sort();
  expect(commands).toEqual(['apply', 'init', 'output', 'plan', 'show', 'state']);
  const holders = (text: string) =>
    commands.filter((command) => readFileSync(join(folder, command), 'utf8').includes(text));
  expect(holders('RECORDS=')).toEqual(commands);
  expect(holders('secretOfTheKey')).toEqual([]);
  // Only what asks the cloud has its keys.
  expect(holders('secretOfTheCloud')).toEqual(['apply', 'plan']);
  for (const place of ['check', 'app-environment']) {
    expect(project.read(place)).not.toContain('secretOfTheKey');
  }
  expect(project.read('key')).toBe(KEY);
  expect(statSync(join(project.folder, 'key')).mode & 0o777).toBe(0o600);
  const file = /^SECURE_CONNECTIVITY_CHECK_KEY_FILE=(.*)$/m.exec(project.read('check'))?.[1] ?? '';
  expect(file).toContain(join(project.folder, 'plans'));
  expect(existsSync(file)).toBe(false);
});

test('what a program in Terraform prints of secrets is not shown, and all else is', async () => {
  const print =
    'cat ../../../printed; echo said "$(cat ../../../word)"; cat ../../../printed >&2; exit 1';
  const project = new TerraformProject({
    one: valueStack('one', 1, {
      resource: {
        terraform_data: { value: { provisioner: [{ 'local-exec': { command: print } }] } },
      },
    }),
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  project.write('printed', `before\n${pem}after\nAuthorization: Bearer Zq8xVw2LmN\n`);
  project.write('word', 'password=Hw4rTn9KsQ2');
  const { status, output } = await project.deploy([]);
  expect(status).toBe(1);
  for (const word of ['before', 'after', 'said password=[redacted]'])
    expect(output).toContain(word);
  const secrets = [...pem.split('\n').slice(1, -2), 'Zq8xVw2LmN', 'Hw4rTn9KsQ2'];
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
});
