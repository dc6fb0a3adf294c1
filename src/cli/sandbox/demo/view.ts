/** Chooses what the demo shows of a deploy: a line for each stack, the report of one, its errors. */
export class DemoView {
  readonly #counts = new Map<string, string>();
  #isReport = false;
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
    if (counted !== undefined) this.#counts.set(stack, sum(this.#counts.get(stack), counted));
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
    const [, stack] = /^connectivity check of (\S+): [\w-]+ in [\d.]+ m?s\b/.exec(line) ?? [];
    if (stack !== undefined && stack === this.reportOf) this.#isReport = true;
    // Terraform's line before the command that reads the status of the report.
    if (line.startsWith('Executing: ')) this.#isReport = false;
    // What the check says of itself stands on standard error, which Terraform prints between the lines of the report.
    const isReported = this.#isReport && line !== '' && !LEFT_OUT.some((one) => one.test(line));
    if (isReported) this.print(line);
  }
}

/** Adds the counts of a further apply of the same deploy: `2 added, 1 changed, 0 destroyed`. */
function sum(before: string | undefined, counted: string): string {
  const earlier = before?.match(/\d+/g) ?? [];
  let n = 0;
  return counted.replaceAll(/\d+/g, (count) => String(Number(count) + Number(earlier[n++] ?? 0)));
}

/** Lines that the demo has no room for: those that a sandbox alone has, and what else the failure could be. */
const LEFT_OUT = [
  /^(?:verify|secure-connectivity): /,
  /^(?:note {2}connect-to| {2}also possible: | {2}with --verbose: )/,
  /^ {11,}(?:trust by|log id|error) /,
];
