import { markdownTable } from '../../files/markdown.js';

/** A variable or an output. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

interface Readme {
  readonly name: string;
  readonly variables: readonly Described[];
  readonly outputs: readonly Described[];
  /** Variables that have a default. */
  readonly needed: readonly string[];
}

/** Writes what callers of a module read: an example, and its variables and outputs. */
export function moduleReadme({ name, variables, outputs, needed }: Readme): string {
  const required = variables.filter((one) => !needed.includes(one.name));
  const width = Math.max(0, ...required.map((one) => one.name.length));
  const given = required.map((one) => `  ${one.name.padEnd(width)} = var.${one.name}`);
  const inputs = variables.map((one) => [
    `\`${one.name}\``,
    one.description,
    required.includes(one) ? 'required' : 'optional',
  ]);
  return [
    `# ${name}`,
    '',
    'Connections to the AI-agent service, written by `secure-connectivity synth --module`. Change the settings and write it again, rather than these files.',
    '',
    '```hcl',
    'module "agent_service" {',
    '  source = "./connectivity"',
    ...(given.length > 0 ? ['', ...given] : []),
    '}',
    '```',
    '',
    'The state and the configuration of the provider are those of the root, in the region cn-beijing. `count`, `for_each`, `depends_on` and `providers` of the call work.',
    ...(variables.some((one) => one.name === 'run_check') ? ['', CHECK] : []),
    '',
    '## Inputs',
    '',
    ...markdownTable(['name', 'what', 'needed'], inputs),
    '',
    '## Outputs',
    '',
    ...markdownTable(
      ['name', 'what'],
      outputs.map((one) => [`\`${one.name}\``, one.description]),
    ),
    '',
  ].join('\n');
}

const CHECK =
  'An apply begins and ends with a check of the connections. It runs `secure-connectivity` of the PATH, or else the one that the project of the root has installed, with the credentials in the environment. `run_check = false` turns it off.';
