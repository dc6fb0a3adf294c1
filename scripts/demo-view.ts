import { stripVTControlCharacters } from 'node:util';

/** What of a line of cdktf and Terraform is worth seeing in the demo: progress, the check's report, errors. */
export class DemoView {
  #rest = '';
  #inBox = false;

  /** @param options.isWhole whether every line is shown */
  constructor(
    private readonly print: (line: string) => void,
    private readonly options: { readonly isWhole: boolean },
  ) {}

  /** Takes a part of the output, of any length. */
  write(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(stripVTControlCharacters(line));
  }

  #line(line: string): void {
    if (this.options.isWhole) {
      this.print(`    ${line}`);
      return;
    }
    // cdktf puts the stack's name, or as many blanks, before each line of Terraform.
    const text = line.replace(/^(?:[\w-]+-sandbox {2}| {16,})/, '').trimEnd();
    // Terraform repeats in a box what the step said that failed.
    if (text.startsWith('╷')) this.#inBox = true;
    const error = /^│ (Error running command .*exit status \d+)/.exec(text)?.[1];
    if (error !== undefined) this.print(`  Terraform: ${error}`);
    if (text.startsWith('╵')) this.#inBox = false;
    if (this.#inBox || error !== undefined) return;
    const report = /^null_resource\.\S+ \(local-exec\): ?(.*)$/.exec(text)?.[1];
    if (report?.startsWith('Executing:')) return;
    if (report !== undefined) this.print(report === '' ? '' : `    ${report.trimEnd()}`);
    else if (PROGRESS.test(text)) this.print(`  ${text}`);
  }
}

const PROGRESS =
  /^(\S+: (Still creating|Creation complete|Modifications complete|Destruction complete)|(Plan|Apply complete|Destroy complete)|ERROR|settings\.|secure-connectivity:)/;
