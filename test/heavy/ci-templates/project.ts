import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { projectFiles } from '../../../src/cli/init/project-files.js';
import { run } from '../../ci-templates/run.js';

type Settings = Record<string, Record<string, unknown>>;

const INTENTS = {
  intents: [
    {
      name: 'nobody outside does',
      from: { not: ['10.20.0.0/16'] },
      to: 'service-endpoint',
      expect: 'closed',
    },
  ],
};

/** Gives a checkout the packages that a project of `init` has, as if they were installed. */
const INSTALL = `
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
const root = ${JSON.stringify(resolve('.'))};
mkdirSync('node_modules/.bin', { recursive: true });
for (const name of readdirSync(root + '/node_modules')) {
  if (name !== 'cdktf-cli' && !name.startsWith('.')) {
    symlinkSync(root + '/node_modules/' + name, 'node_modules/' + name);
  }
}
symlinkSync(root, 'node_modules/cdktf-secure-connectivity');
const program = '#!/bin/sh\\nexec node "' + root + '/dist/cli/main.js" "$@"\\n';
writeFileSync('node_modules/.bin/secure-connectivity', program, { mode: 0o755 });
`;

/**
 * Terraform writes no lock file for providers that a sandbox attaches, and a review demands one. Without a
 * sandbox, it would ask a registry.
 */
const TERRAFORM = `#!/bin/bash
if [ -n "$TF_REATTACH_PROVIDERS" ]; then terraform "$@" || exit; fi
if [ "$2" = init ]; then touch "\${1#-chdir=}/.terraform.lock.hcl"; fi
`;

/** Makes a repository with a project as `init` makes it, for the environment `sandbox`, on its main branch. */
export async function madeProject(scratch: string) {
  const [folder, tools] = [join(scratch, 'repository'), join(scratch, 'tools')];
  for (const path of [folder, tools]) await mkdir(path, { recursive: true });
  await writeFile(join(tools, 'install.mjs'), INSTALL);
  await writeFile(join(tools, 'terraform'), TERRAFORM, { mode: 0o755 });
  const git = async (...args: string[]) => {
    const name = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const ended = await run('git', [...name, ...args], { cwd: folder });
    if (ended.status !== 0) throw new Error(`${ended.stdout}${ended.stderr}`);
    return ended.stdout.trim();
  };
  const files = projectFiles('agents', { cdktf: true, ci: 'none', tsx: true });
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  const settings = JSON.parse(files.get('stacks/settings/sandbox.json') ?? '') as Settings;
  for (const option of ['fixedIpEgress', 'pluginEndpointService', 'fixedIpIngress', 'userIdHeader'])
    delete settings[option];
  settings.check = { wait: '1s' };
  const commit = async (change: (settings: Settings) => void) => {
    change(settings);
    await write('stacks/settings/sandbox.json', JSON.stringify(settings));
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'change');
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  for (const [name, text] of files) await write(name, text);
  await write('stacks/intents.json', JSON.stringify(INTENTS));
  await commit(networks('10.20.1.0/24'));
  return {
    folder,
    git,
    commit,
    install: `node ${join(tools, 'install.mjs')}`,
    terraform: join(tools, 'terraform'),
  };
}

/** Lets these networks, and no others, use the service. */
export const networks =
  (...allowedNetworks: readonly string[]) =>
  ({ serviceEndpoint = {} }: Settings): void => {
    serviceEndpoint.allowedNetworks = allowedNetworks;
  };

/** One change of each kind, and what its review comes to. */
export const CHANGES = {
  widening: { change: networks('10.20.0.0/16'), says: 'NEEDS APPROVAL', status: 3 },
  narrowing: { change: networks('10.20.1.0/25'), says: 'NARROWER', status: 0 },
  harmless: {
    change: (settings: Settings) => {
      settings.tags = { ...settings.tags, ticket: 'NET-2' };
    },
    says: 'NO CHANGE',
    status: 0,
  },
  'intent-breaking': { change: networks('10.99.0.0/24'), says: 'FORBIDDEN', status: 4 },
} as const;
