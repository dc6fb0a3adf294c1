import { Command } from 'commander';

/** A summary of each command, in the groups of the help. */
export const COMMAND_GROUPS = {
  Build: {
    init: 'create a project with stacks, settings, a test and workflows',
    synth: 'write the Terraform JSON of a project, or of a settings file without one',
    ready: 'check whether a first deploy can start here, and list the manual steps',
    deploy: 'deploy stacks by Terraform, with a reliable exit status',
    destroy: 'destroy stacks by Terraform, with a reliable exit status',
    adopt: 'import into the state what an interrupted deploy left, or what exists already',
  },
  Prove: {
    verify: 'check each link to the service stage by stage, or report saved results',
    exporter: 'check links whenever Prometheus scrapes them',
    token: 'print an access token, for scripts',
    explain: 'explain an error code or an exit status',
  },
  Review: {
    review: 'report access changes between two synthesized trees',
    rehearse: 'deploy a change in a sandbox, and report what clients notice at each step',
    reach: 'say who may reach what, and by which rules',
    render: 'write access rules for a firewall that Terraform does not manage',
    addresses: 'compare the list of fixed addresses with DNS, or with a newer list',
  },
  Try: {
    sandbox: 'run a cloud, a DNS server and the service on loopback, and a command against them',
  },
};

const { Build, Prove, Review, Try } = COMMAND_GROUPS;
const SUMMARIES = { ...Build, ...Prove, ...Review, ...Try };

export type CommandName = keyof typeof SUMMARIES;

/** Begins the command line of a command, whose help has its summary as a sentence. */
export function newCommand(name: CommandName): Command {
  const [first = '', ...rest] = SUMMARIES[name];
  const sentence = `${first.toUpperCase()}${rest.join('')}.`;
  return new Command(`secure-connectivity ${name}`).description(sentence);
}
