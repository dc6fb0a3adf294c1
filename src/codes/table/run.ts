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
