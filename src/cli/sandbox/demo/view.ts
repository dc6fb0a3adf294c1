/** Chooses what the demo shows of a deploy: a line for each stack, the report of one, its errors. */
export class DemoView {
  readonly #counts = new Map<string, string>();
  #report: string[] | undefined;
  #isRefused = false;

  /** @param reportOf the stack whose report is shown */
  constructor(
    private readonly print: (line: string) => void,
    private readonly reportOf: string | undefined,
  ) {}

  take(line: string): void {
    // The name of the stack comes before its lines where there are several.
    const [, stack = '', text = ''] = /^(?:([\w-]+-sandbox) {2})?(.*)$/.exec(line) ?? [];
    const counted = /^(?:Apply|Destroy) complete! Resources: (.*)\.$/.exec(text)?.[1];
    if (counted !== undefined) this.#counts.set(stack, counted);
    const [, ended, how] =
      /^secure-connectivity: ([\w-]+): ((?:Deploy|Destroy|failed) .*?)!?$/.exec(line) ?? [];
    if (ended !== undefined && how !== undefined) this.#end(ended, how);
    const checked = /^null_resource\.\S+ \(local-exec\): ?(.*)$/.exec(text)?.[1];
    if (checked !== undefined) this.#check(checked.trimEnd());
  }

  #end(stack: string, how: string): void {
    if (this.#isRefused) return;
    const counts = this.#counts.get(stack) ?? this.#counts.get('');
    this.print([stack, how, ...(counts === undefined ? [] : [counts])].join(': '));
  }

  #check(line: string): void {
    const refused =
      /^secure-connectivity: ((?:host\.outside-network|usage\.invalid): .*?\.)(?= [A-Z]|$)/.exec(
        line,
      )?.[1];
    if (refused !== undefined) {
      this.#isRefused = true;
      this.print(refused);
    }
    if (line === `connectivity check of ${this.reportOf}`) this.#report = [];
    this.#report?.push(line);
    if (this.#report === undefined || !/^(reachable|unreachable|incomplete) in /.test(line)) return;
    for (const one of shortReport(this.#report)) this.print(one);
    this.#report = undefined;
  }
}

/**
 * Shortens a report of `verify`: of a failure, the link that failed with its first cause; otherwise the
 * first link with its stages, and the others in a line each.
 */
function shortReport([title = '', ...lines]: readonly string[]): string[] {
  const verdict = lines.at(-1) ?? '';
  const parts: string[][] = [];
  for (const line of lines.slice(0, -1).filter((one) => one !== '')) {
    if (/^\S/.test(line)) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  // A plugin has no stages.
  const links = parts.filter((part) => part.some((line) => PASSED.test(line) || STAGE.test(line)));
  const failed = links.filter((link) => link.some((line) => line.startsWith('  failed at ')));
  const shown =
    failed.length > 0
      ? failed.flatMap(failedLink)
      : links.flatMap((link, index) => (index === 0 ? passedLink(link) : otherLink(link)));
  return [title, ...shown, verdict];
}

const PASSED = /^ {2}passed {3}/;

/** The head of a link: its name, and what of it did not fit on the line. */
function headOf(link: readonly string[]): string[] {
  const end = link.findIndex((line) => /^ {2}\S/.test(line));
  return link.slice(0, end < 0 ? undefined : end);
}

function passedLink(link: readonly string[]): string[] {
  return [...headOf(link), ...link.filter((line) => PASSED.test(line))];
}

function otherLink(link: readonly string[]): string[] {
  const passed = link.filter((line) => PASSED.test(line)).length;
  return [`${link[0]}  passed ${passed} stages`];
}

const CODE = /^ {2}[a-z-]+\.[a-z-]+: /;
const STAGE = /^ {2}(failed at |failed {3}|not run:)/;
const REASON = /^ {4}(cause|remedy) /;

/** A link that failed: where, with the first cause and its remedy, and the stage. */
function failedLink(link: readonly string[]): string[] {
  const head = headOf(link);
  let codes = 0;
  let isKept = false;
  const reasons = link.slice(head.length).filter((line) => {
    if (CODE.test(line)) codes += 1;
    const isOfCause = codes === 1 && (CODE.test(line) || REASON.test(line));
    // What did not fit on a line belongs to it.
    if (/^ {2,4}\S/.test(line)) isKept = STAGE.test(line) || isOfCause;
    return isKept && !/^ {20}/.test(line);
  });
  return [...head, ...reasons];
}
