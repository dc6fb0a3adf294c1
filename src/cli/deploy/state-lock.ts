import { safeText } from '../../codes/redact.js';
import { shellWord } from '../../files/shell-word.js';

/** A stack as Terraform's commands take it. */
interface LockedStack {
  readonly name: string;
  readonly folder: string;
  /** The program that Terraform is, such as `tofu`. */
  readonly program: string;
}

/** Who holds the lock of a state, as far as Terraform says. */
interface StateLock {
  readonly id: string;
  /** User and host. */
  readonly who: string | undefined;
  /** Such as `OperationTypeApply`. */
  readonly operation: string | undefined;
  readonly created: string | undefined;
}

/** The lock that kept Terraform from working, out of what it wrote on stderr. */
export function readStateLock(errors: string): StateLock | undefined {
  const [, found] = /Error acquiring the state lock([\s\S]*)/.exec(errors) ?? [];
  if (found === undefined) return undefined;
  const read = (name: string) =>
    new RegExp(`^[│\\s]*${name}:[ \\t]+(\\S[^\\n]*?)[ \\t]*$`, 'm').exec(found)?.[1];
  const id = read('ID');
  if (id === undefined) return undefined;
  return { id, who: read('Who'), operation: read('Operation'), created: read('Created') };
}

/** The command that takes away a lock whose holder is dead. */
export function unlockCommand({ program, folder }: LockedStack, id: string): string {
  return `${shellWord(program)} -chdir=${shellWord(folder)} force-unlock ${id}`;
}

/** One sentence on who holds the lock, and what to do; the command is last. */
export function describeStateLock(
  stack: LockedStack,
  { id, who, operation, created }: StateLock,
): string {
  const facts = [who, operation, created].filter((fact) => fact !== undefined);
  const held = facts.length === 0 ? '' : ` (${safeText(facts.join(', '))})`;
  return `the state of ${stack.name} is locked by another run${held}. Wait until that has ended, and run this again; where it is dead: ${unlockCommand(stack, safeText(id))}`;
}
