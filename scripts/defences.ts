/** A defence of `docs/threat-model.md`: what to take out of the code, and the test that must then fail. */
export interface Defence {
  readonly test: string;
  readonly file: string;
  readonly defence: string;
  readonly without: string;
}

/** One for each test that the page names. */
export const DEFENCES: readonly Defence[] = [
  {
    test: 'test/rehearse/hostile-trees.test.ts',
    file: 'src/sandbox/terraform/configuration.ts',
    defence:
      "if (kind === 'data' && labels[0] === REMOTE_STATE) return remoteState(body, changes);",
    without: '',
  },
  {
    test: 'test/sandbox/terraform/calls.test.ts',
    file: 'src/sandbox/terraform/calls.ts',
    defence: 'if (isPure(call)) continue;',
    without: "if (call.name !== 'file') continue;",
  },
  {
    test: 'test/sandbox/terraform/isolate-run.test.ts',
    file: 'src/sandbox/terraform/isolate-run.ts',
    defence: 'if (hcl !== undefined) {',
    without: "if (hcl === '') {",
  },
  {
    test: 'test/sandbox/terraform/own-checks.test.ts',
    file: 'src/sandbox/terraform/configuration.ts',
    defence: 'if (!ARGUMENTS.test(',
    without: 'if (false && !ARGUMENTS.test(',
  },
  {
    test: 'test/sandbox/environment.test.ts',
    file: 'src/sandbox/environment.ts',
    defence: 'return { ...sandbox, PATH: SYSTEM_PATH,',
    without: 'return { ...(process.env as Record<string, string>), ...sandbox, PATH: SYSTEM_PATH,',
  },
  {
    test: 'test/heavy/programs/sealed.test.ts',
    file: 'src/cli/program/seal.ts',
    defence: "'--map-root-user', '--net', '--'",
    without: "'--map-root-user', '--'",
  },
  {
    test: 'test/files/bounded-read.test.ts',
    file: 'src/files/bounded-read.ts',
    defence: 'if (stat.size > maxBytes) {',
    without: 'if (stat.size < 0) {',
  },
  {
    test: 'test/files/temporary-folder.test.ts',
    file: 'src/files/temporary-folder.ts',
    defence: "return owner === 'dead' ||",
    without: 'return',
  },
  {
    test: 'test/sandbox/terraform/isolate-run.test.ts',
    file: 'src/reach/read/stack-folder.ts',
    defence: 'readJson(path, option, tree)',
    without: 'readJson(path, option)',
  },
  {
    test: 'test/rehearse/stack-runner.test.ts',
    file: 'src/rehearse/stage/stack-runner.ts',
    defence: 'excess = of;',
    without: '',
  },
  {
    test: 'test/files/json.test.ts',
    file: 'src/files/json.ts',
    defence: 'if (values > MAX_VALUES)',
    without: 'if (values < 0)',
  },
  {
    test: 'test/cli/misplaced-secrets.test.ts',
    file: 'src/codes/redact.ts',
    defence: "{ kind: 'a cloud key', remove: withoutCloudKeys },",
    without: '',
  },
  {
    test: 'test/cli/verify-routes.test.ts',
    file: 'src/verify/transport/tls/secure.ts',
    defence: 'rejectUnauthorized: true,',
    without: '',
  },
  {
    test: 'test/service/calls.test.ts',
    file: 'src/service/http/connection.ts',
    defence: 'rejectUnauthorized: true,',
    without: '',
  },
  {
    test: 'test/heavy/programs/special-files.test.ts',
    file: 'src/files/json.ts',
    defence: "return parseBounded(readBounded(file).toString('utf8'));",
    without: "return JSON.parse(process.getBuiltinModule('node:fs').readFileSync(file, 'utf8'));",
  },
  {
    test: 'test/cli/control-characters.test.ts',
    file: 'src/codes/redact.ts',
    defence: "redact(text).replace(CONTROLS, ' ');",
    without: 'redact(text);',
  },
  {
    test: 'test/sandbox/plugin/commands.test.ts',
    file: 'src/net/host-name.ts',
    defence: 'if (origin === undefined) return undefined;',
    without: 'if (origin !== null) return undefined;',
  },
  {
    test: 'test/heavy/ci-templates/deploys.test.ts',
    file: 'shipped/ci-templates/deploy.sh',
    defence: '--reviewed "$digest" ',
    without: '',
  },
  {
    test: 'test/heavy/ci-templates/deploys.test.ts',
    file: 'action.yml',
    defence: 'if [ "$head" != "$GITHUB_SHA" ]; then',
    without: 'if false; then',
  },
  {
    test: 'test/heavy/ci-templates/changes.test.ts',
    file: 'shipped/ci-templates/synthesize.sh',
    defence: 'secure-connectivity synth --intents report --out',
    without: 'secure-connectivity synth --out',
  },
  {
    test: 'test/heavy/ci-templates/action.test.ts',
    file: 'action.yml',
    defence: 'if [ "$report" != "$REPORT" ]; then',
    without: 'if false; then',
  },
  {
    test: 'test/heavy/ci-templates/gitlab-compare.test.ts',
    file: 'shipped/ci-templates/gitlab-secure-connectivity.yml',
    defence: '    - cd "$work/repository"\n',
    without: '',
  },
  {
    test: 'test/ci-templates/templates.test.ts',
    file: 'shipped/ci-templates/github/connectivity-deploy.yml',
    defence: '          job: deploy\n',
    without: '          job: synthesize\n',
  },
  {
    test: 'test/heavy/ci-templates/gate.test.ts',
    file: 'shipped/ci-templates/gate.mjs',
    defence: '`| ${shown(line)}\\n`',
    without: '`${line}\\n`',
  },
];
