import { EXIT } from '../../../codes/codes.js';
import { exitOf } from '../../model/verdict.js';
import type { LinkResult } from '../../model/verification.js';
import { VERDICTS, type Verdict } from '../../model/verification-names.js';

/** What is kept of many results: only numbers, however many there are. */
export class Tally {
  checked = 0;
  readonly verdicts: Record<Verdict, number> = {
    reachable: 0,
    'not-authorized': 0,
    unreachable: 0,
    incomplete: 0,
  };
  /** Links by the first code that they failed with. */
  readonly codes = new Map<string, number>();
  #isInterrupted = false;
  #lowest = 0;
  #isWarned = false;

  add(result: LinkResult): void {
    this.checked += 1;
    this.verdicts[result.verdict] += 1;
    const code = result.stages.find(({ status }) => status === 'failed')?.code;
    if (code !== undefined) this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    const exit = exitOf({ links: [result] }, { strict: true });
    if (exit === EXIT.interrupted) this.#isInterrupted = true;
    else if (exit === EXIT.strictWarning) this.#isWarned = true;
    else if (exit !== 0) this.#lowest = Math.min(exit, this.#lowest || exit);
  }

  /** As for one report: the lowest of all failures, 130 when the run was interrupted. */
  exit({ strict = false }: { readonly strict?: boolean } = {}): number {
    if (this.#isInterrupted) return EXIT.interrupted;
    if (this.#lowest !== 0) return this.#lowest;
    return strict && this.#isWarned ? EXIT.strictWarning : 0;
  }

  /** The end of a long run in a few lines, the commonest code first. */
  summary(total?: number): string {
    const verdicts = VERDICTS.filter((verdict) => this.verdicts[verdict] > 0);
    const counts = verdicts.map((verdict) => `${this.verdicts[verdict]} ${verdict}`).join(', ');
    const of = total === undefined ? '' : ` of ${total}`;
    const codes = [...this.codes]
      .sort(([, a], [, b]) => b - a)
      .map(
        ([code, count]) => `  ${String(count).padStart(String(this.checked).length)}  ${code}\n`,
      );
    return `${this.checked}${of} links checked${counts && `: ${counts}`}\n${codes.join('')}`;
  }
}
