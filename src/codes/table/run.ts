import { type CodeFacts, EXIT } from '../code-facts.js';

/** What ends a run or a command, whatever it was doing. */
export const RUN_CODES = {
  'run.deadline': {
    title: 'The run exceeded its time limit',
    cause: 'The run was cut off by its own deadline before this stage ended.',
    remedy: 'Give more time with --timeout, or look at the stages that took longest.',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.too-many-files': {
    title: 'This process may open no more files',
    cause: 'Connections are files too, and the system limits how many a process may have open.',
    remedy:
      'Check fewer links at the same time with --concurrency, or raise the limit (ulimit -n).',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.interrupted': {
    title: 'The run was interrupted',
    cause: 'The run was stopped from outside before this stage ended.',
    remedy: 'Run the check again.',
    kind: 'final',
    exit: EXIT.interrupted,
  },
  'run.place-failed': {
    title: 'No check could run at the place',
    cause: 'The command that leads to the place of `--run-via` ended before the check did.',
    remedy:
      'Run the command by hand with `node --version` behind it: it must log in without a question, and leave standard input and output to what it starts.',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.place-timeout': {
    title: 'The place does not answer in time',
    cause: 'The command of `--run-via` was started, and nothing more was heard from behind it.',
    remedy:
      'See whether the command asks for something, a password or whether to trust a host, and whether the place can be reached; or give more time with --timeout.',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.place-no-node': {
    title: 'The place has no Node.js',
    cause: 'The command of `--run-via` reaches the place, which knows no program `node`.',
    remedy:
      'Install Node.js 20.19 or newer there, or make the command lead to where it is: `ssh bastion env PATH=/opt/node/bin`.',
    kind: 'final',
    exit: EXIT.deadline,
  },
  'run.place-old-node': {
    title: 'The Node.js of the place is too old',
    cause: 'The check needs Node.js 20.19 or newer where it runs.',
    remedy: 'Install a newer Node.js at the place, or make the command lead to one that is there.',
    kind: 'final',
    exit: EXIT.deadline,
  },
  'run.place-answer': {
    title: 'What the place answers is no result of a check',
    cause:
      'Behind the command of `--run-via` something else answers, or what it sends is cut or changed.',
    remedy:
      'See what the command starts; it must leave standard output to what it starts, without a terminal (no `-t`).',
    kind: 'final',
    exit: EXIT.deadline,
  },
  'output.lost': {
    title: 'The output could not be written completely',
    cause: 'The disk is full, or the reader of standard output has closed it.',
    remedy: 'Free disk space, or let the reader consume all output, and run the command again.',
    kind: 'final',
    exit: EXIT.output,
  },
  'internal.bug': {
    title: 'A bug of this program',
    cause: 'Something happened that this program does not expect.',
    remedy: 'Report it with the text of the error.',
    kind: 'final',
    exit: EXIT.bug,
  },
} as const satisfies Record<string, CodeFacts>;
