import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for invalid input to a command, a construct or a file. */
export const INPUT_CODES = codesWithExit(EXIT.usage, {
  'usage.invalid': {
    title: 'Wrong usage',
    cause: 'An argument, a setting, a file or a combination of them is not valid.',
    remedy:
      'Correct each flag, field, file or property that the message names. Pass what a tool wrote (outputs, `access.json`, a tree of `synth`, a plan of it) unchanged, from the same version of this package.',
    seen: {
      audience: {
        title: 'The audience of the JWT is wrong',
        cause:
          'The `aud` claim must be the API host of the service; an address, a URL, the private domain or the host of the fixed-IP base URL is wrong, whichever host the calls go to.',
        remedy:
          'Set the API host to the host name of the public API base URL, without scheme or port.',
      },
    },
  },
  'link.host-not-vouched': {
    title: 'The host is not vouched for by the tree',
    cause:
      'The tree beside the outputs has no such stack, is another one than was deployed, or leaves the host to the deploy, and the state could not be read: nothing but the file of outputs says that the host is the right one.',
    remedy:
      'Run the check where Terraform can read the state, with --stack, or pass the outputs on a way that nobody else can write to.',
  },
  'credentials.missing': {
    title: 'Credentials are missing',
    cause:
      'The token call needs an enterprise ID, an application ID, a key ID and a private key; or a setting that is sent or shown contains a private or public key, a JWT or an access token in place of what belongs there.',
    remedy:
      'Set what the evidence names, with its flag or its SECURE_CONNECTIVITY_ variable, or check only the network with --no-auth. The text of the private key belongs into SECURE_CONNECTIVITY_PRIVATE_KEY, the path of its file behind --private-key-file: two that were mixed up are refused, and nothing was sent or shown. The key ID is the fingerprint that the application’s edit page shows.',
  },
  'key.unusable': {
    title: 'The private key cannot be used',
    cause:
      'There is no file at the path, it cannot be opened, it is not an unencrypted PEM private key (PKCS#8 or PKCS#1), the key is not RSA, as RS256 needs, or has fewer than 2048 bits; the message says which.',
    remedy:
      'Give what the message asks for: of a key that the console generated for the application, the first line is `-----BEGIN PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----`. Replace a key pair that is too short.',
    seen: {
      'no signature': {
        title: 'The JWT could not be signed',
        cause:
          'The callback that signs in place of a private key failed or returned no RS256 signature.',
        remedy:
          'Check access to the key store, and that it signs with RSASSA-PKCS1-v1_5 and SHA-256.',
        isRetryable: true,
        isOfTime: true,
      },
    },
  },
  'key.permissions': {
    title: 'Others can read the private key',
    cause: 'The mode of the file lets every user of this machine read or change the private key.',
    remedy: 'Run the command in the evidence (Kubernetes: `defaultMode: 0440`); replace the key.',
    seen: {
      group: {
        title: 'A group can read the private key',
        cause:
          'The mode of the file lets a group read the private key, and the file is not root’s.',
        remedy: 'Run the command in the evidence, unless the group is meant to read it.',
      },
    },
  },
});

/** Codes that end any run or command. */
export const RUN_CODES = codesWithExit(EXIT.deadline, {
  'run.deadline': {
    title: 'The run exceeded its time limit',
    cause: 'The run was cut off by its own deadline before this stage ended.',
    remedy: 'Allow more time with --timeout, or see which stages took longest.',
    isRetryable: true,
    isOfTime: true,
  },
  'run.machine-paused': {
    title: 'This machine stood still during the check',
    cause:
      'The program was not running for a second or more in both of two attempts: it was stopped, its machine was frozen or asleep, or it had no processor time. Results from that time say nothing about the link.',
    remedy:
      'Run the check again on a machine that is not paused, and give its process or container more processor time.',
    isRetryable: true,
  },
  'run.too-many-files': {
    title: 'This process has reached its limit of open files',
    cause:
      'Each connection counts as an open file, and the system limits how many a process may have.',
    remedy:
      'Check fewer links at the same time with --concurrency, or raise the limit (ulimit -n).',
    isRetryable: true,
  },
  'run.interrupted': {
    title: 'The run was interrupted',
    cause: 'The run was stopped from outside before this stage ended.',
    remedy: 'Run the check again.',
    exit: EXIT.interrupted,
  },
  'run.vantage-point': {
    title: 'No check could run at the vantage point',
    cause: 'The command of `--run-via` ended before the check did.',
    remedy:
      'Have the command log in without a question, for it has no terminal to ask on: load the key of ssh with `ssh-add` and accept the host’s key once by hand, or set SSH_ASKPASS; other commands log in beforehand. Then run it, followed by `node --version`: it must leave standard input and output to the program that it starts.',
    isRetryable: true,
    seen: {
      'no answer': {
        cause: 'The command of `--run-via` was started, and there was no further output from it.',
        remedy:
          'Check whether the command waits for a password or another answer, which it cannot get: have it log in without a question (for ssh: `ssh-add`, or SSH_ASKPASS). Check whether the vantage point can be reached; or allow more time with --timeout.',
      },
      'no program': {
        cause:
          'The command of `--run-via` could not be started on this machine: its first word is no program here, or none that may be run.',
        remedy: 'Correct the command, or install its program; it is looked for on the PATH.',
        isRetryable: false,
      },
      'no Node.js': {
        cause:
          'The command of `--run-via` reaches the vantage point, which has no program `node` on its PATH.',
        remedy:
          'Install Node.js 20.19 or newer there, or point the command to it: `ssh bastion env PATH=/opt/node/bin`.',
        isRetryable: false,
      },
      'no input': {
        cause:
          'Node.js has started at the vantage point, and its standard input was at its end at once: the check cannot be sent to it.',
        remedy:
          'Have the command pass standard input on: `kubectl exec`, `docker exec` and `podman exec` need `-i` (and no `-t`); `ssh` must not have `-n`.',
        isRetryable: false,
      },
      'Node.js too old': {
        cause: 'The check needs Node.js 20.19 or newer where it runs.',
        remedy:
          'Install a newer Node.js at the vantage point, or point the command to one that is installed there.',
        isRetryable: false,
      },
      'no result': {
        cause:
          'Something else answers through the command of `--run-via`, or its output is truncated or changed.',
        remedy:
          'See what the command starts; it must leave standard output to that program, without a terminal (no `-t`).',
        isRetryable: false,
      },
    },
  },
  'intent.open': {
    title: 'A link is open to a vantage point that is expected to be closed',
    cause:
      'A vantage point that is expected to be closed connected to a door of the link: a rule lets it in, the rules are not enforced, or another way leads to the door.',
    remedy:
      'Close the door now: compare what the cloud has with the stack by `secure-connectivity reach --live`, and look for ways to it that are not in Terraform.',
    exit: EXIT.doorOpen,
  },
  'output.lost': {
    title: 'The output could not be written completely',
    cause: 'The disk is full, or the reader of standard output has closed it.',
    remedy:
      'Free disk space, or let the reader consume all of the output, and run the command again.',
    exit: EXIT.output,
  },
  'internal.bug': {
    title: 'A bug in this program',
    cause: 'Something happened that this program does not expect.',
    remedy: 'Report it with the text of the error.',
    exit: EXIT.bug,
  },
});
