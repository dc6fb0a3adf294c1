import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for invalid input to a command, a construct or a file. */
export const INPUT_CODES = codesWithExit(EXIT.usage, {
  'usage.invalid': {
    title: 'Wrong usage',
    cause: 'An argument, a setting or a combination of them is not valid.',
    remedy: 'Correct what the message names.',
  },
  'settings.invalid': {
    title: 'Invalid settings',
    cause: 'The settings file breaks a rule of its schema.',
    remedy: 'Correct each field that the message names.',
  },
  'settings.environment': {
    title: 'No environment chosen',
    cause: 'CONNECTIVITY_ENV is unset or names an environment without a settings file.',
    remedy: 'Set CONNECTIVITY_ENV to one of the environments listed.',
  },
  'resource.invalid': {
    title: 'Invalid configuration of a resource',
    cause: 'A value breaks a rule of the cloud, or an attribute does not exist.',
    remedy: 'Correct each attribute that the message names.',
  },
  'construct.invalid': {
    title: 'Invalid properties of a construct',
    cause: 'The properties break a rule of the service, the cloud or this package.',
    remedy: 'Correct each property that the message names.',
  },
  'link.invalid': {
    title: 'Unreadable link',
    cause: 'The link between stack and check does not follow its schema.',
    remedy:
      'Deploy and check with the same version of this package, and pass its `connectivity` output unchanged.',
  },
  'link.host-not-vouched': {
    title: 'The host is not vouched for by the tree',
    cause:
      'The tree beside the outputs has no such stack, is another one than was deployed, or leaves the host to the deploy, and the state could not be read: nothing but the file of outputs says that the host is the right one.',
    remedy:
      'Run the check where Terraform can read the state, with --stack, or pass the outputs on a way that nobody else can write to.',
  },
  'intents.invalid': {
    title: 'Intents that cannot be judged',
    cause:
      'The file of intents breaks a rule of its schema, or an intent has an end that is empty or a name that nothing has.',
    remedy:
      'Correct what the message names; `secure-connectivity reach` lists the names of a tree.',
  },
  'access.invalid': {
    title: 'Unreadable access rules',
    cause: 'The file does not contain the access rules of a synthesized stack.',
    remedy: 'Pass the unchanged `access.json` from beside a stack’s Terraform JSON.',
  },
  'addresses.invalid': {
    title: 'Unusable address list',
    cause: 'The list of addresses is empty or malformed.',
    remedy: 'Correct the entry that the message names.',
  },
  'render.unsupported': {
    title: 'The target format cannot express these rules exactly',
    cause: 'A rule has a peer, protocol or port that the chosen format cannot express.',
    remedy: 'Select rules with --rules, or choose another format.',
  },
  'review.tree': {
    title: 'Not a synthesized tree',
    cause: 'A folder given to the review contains no stacks that `cdktf synth` wrote.',
    remedy:
      'Pass the folder of `cdktf synth --output FOLDER`; an empty folder counts as a tree without stacks.',
  },
  'review.plan': {
    title: 'Not a plan of the tree',
    cause:
      'A file given to the review is not a plan in JSON, or its configuration is not that of the stack.',
    remedy:
      'Plan the stack in the folder that `--head` names, without targets, and pass the output of `terraform show -json PLAN`.',
  },
});
