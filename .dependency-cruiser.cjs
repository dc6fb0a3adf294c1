/** The parts of `src`, what each is for, and what it may import of ours; the arrows point one way. */
const MAY_IMPORT = {
  // This package's own folder and version, and what its two module forms share.
  package: [],
  // Addresses, CIDRs, the dated list of fixed addresses, the rule of a host name.
  net: [],
  // Every code that an error or a finding can have; errors without secrets.
  codes: ['package'],
  // What lists of anything share: groups, work on their members.
  lists: [],
  // Files that are written whole or not at all, temporary folders, quoted texts, and values of JSON.
  files: ['codes'],
  // Says on standard error what is waited for.
  progress: [],
  // What a command has to say, and one writer a format.
  report: ['codes', 'files', 'lists', 'package'],
  // The resource types of the cloud, as data.
  'cloud/table': [],
  // The program that runs as Terraform, and what `terraform show -json` prints of a plan.
  terraform: ['codes', 'files', 'progress'],
  // Who may talk to whom: the rules that everything else is made from, and access.json.
  access: ['net', 'codes'],
  // Sentences on who may reach whom, as users write them.
  intents: ['net', 'codes', 'files', 'lists'],
  // Who can reach what, and by which rules: packet sets, the cloud's rules, readers of Terraform JSON
  // and of a cloud's state. The one room that answers it, beside the sandbox's own engine.
  reach: [
    'access',
    'intents',
    'link',
    'cloud/table',
    'terraform',
    'report',
    'net',
    'codes',
    'files',
    'lists',
  ],
  // Who can reach what as a drawing, of the parts that every row of `reach` is made of.
  picture: ['reach', 'report', 'files', 'lists'],
  // What is checked: links, connections and plugins, as stacks state them.
  link: ['terraform', 'net', 'codes'],
  // The settings of one environment.
  settings: ['intents', 'cloud/table', 'net', 'codes', 'files'],
  // A cdktf class for each row of the table, and the provider.
  cloud: ['cloud/table', 'net', 'codes', 'files'],
  // What users put into their stacks.
  constructs: [
    'cloud',
    'access',
    'intents',
    'link',
    'settings',
    'reach/semantics.ts',
    'net',
    'codes',
    'files',
    'package',
  ],
  // Assertions on access, for the unit tests of a project.
  testing: ['reach', 'access', 'intents', 'cloud/table', 'net', 'codes', 'package', 'lists'],
  // The client of the service: HTTP, keys, tokens, workspaces, chats.
  service: ['codes', 'files', 'net', 'package'],
  // A client of the cloud's API.
  'cloud-control': ['codes', 'files'],
  // What the cloud has of a stack, and what others have put beside it.
  live: ['reach', 'cloud-control', 'cloud/table', 'link', 'net', 'codes', 'lists'],
  // Finds what an interrupted deploy left in the cloud, and takes it into the state.
  adopt: ['cloud-control', 'cloud/table', 'codes', 'files', 'lists', 'progress', 'terraform'],
  // The check of links, its diagnosis and its reports.
  verify: ['report', 'service', 'link', 'net', 'codes', 'package', 'files', 'lists'],
  // Compares two synthesized trees.
  review: [
    'reach',
    'report',
    'access',
    'intents',
    'link',
    'cloud/table',
    'terraform',
    'net',
    'codes',
    'files',
    'package',
    'lists',
  ],
  // Access rules in the formats of firewalls.
  render: ['access', 'net', 'codes', 'lists'],
  // The cloud, DNS, network and service on loopback, and Terraform's providers.
  sandbox: [
    'reach/read',
    'reach/semantics.ts',
    'reach/seen.ts',
    'cloud/table',
    'cloud-control',
    'terraform',
    'link',
    'codes',
    'net',
    'files',
  ],
  // Deploys a change in the sandbox, and reports what clients notice.
  rehearse: [
    'intents',
    'reach',
    'report',
    'sandbox',
    'terraform',
    'review',
    'verify',
    'link',
    'cloud/table',
    'codes',
    'net',
    'files',
    'lists',
  ],
};

const arrows = Object.entries(MAY_IMPORT).map(([part, others]) => ({
  name: `arrows-of-${part.replace('/', '-')}`,
  severity: 'error',
  from: { path: `^src/${part}/`, ...(part === 'cloud' && { pathNot: '^src/cloud/table/' }) },
  to: { path: '^src/', pathNot: [part, ...others].map((other) => `^src/${other}(/|$)`) },
}));

/** A part that is not in the list would be free to import anything; `cli` is above all others. */
const UNLISTED = {
  name: 'part-that-is-not-listed',
  severity: 'error',
  from: {
    path: '^src/[^/]+/',
    pathNot: ['cli', ...Object.keys(MAY_IMPORT)].map((part) => `^src/${part}/`),
  },
  to: { path: '^src/' },
};

/** What the constructs of every option have in common. */
const COMMON = [
  'props-and-outputs.ts',
  'replacement.ts',
  'mistakes.ts',
  'stack-access.ts',
  'rules',
];
const OPTION = [
  ...COMMON,
  'user-id-header.ts',
  'linked.ts',
  'network-props.ts',
  'private-network.ts',
];

/** What a row of a review is made of. */
const ROWS = ['packet-changes.ts', 'packet-rows.ts', 'report-schema.ts'];

/** What each room of a part may import of the part's other rooms, and of its single files. */
const ROOMS = {
  cli: {
    program: [],
    verify: ['program'],
    deploy: ['program', 'verify', 'live-stacks.ts'],
    'deploy/tree': ['program'],
    'deploy/terraform': ['program', 'deploy/tree'],
    'deploy/approval': ['program', 'deploy/tree'],
    addresses: ['program'],
    exporter: ['program', 'verify'],
    init: ['program'],
    ready: ['program', 'verify'],
    render: ['program', 'verify'],
    sandbox: ['program'],
    synth: ['program', 'deploy'],
    token: ['program', 'verify'],
    'adopt.ts': ['program', 'deploy'],
  },
  constructs: {
    'mistakes.ts': [],
    'state-key.ts': ['mistakes.ts'],
    'state-backend.ts': ['state-key.ts', 'mistakes.ts'],
    'stack-access.ts': ['mistakes.ts', 'state-backend.ts'],
    rules: ['network-props.ts', ...COMMON],
    'network-props.ts': COMMON.filter((file) => file !== 'rules'),
    'private-network.ts': ['network-props.ts', ...COMMON],
    'service-endpoint': OPTION,
    'plugin-endpoint-service': OPTION,
    'fixed-ip': OPTION,
    'post-deploy-check': ['linked.ts', 'mistakes.ts', 'replacement.ts', 'stack-access.ts'],
  },
  verify: {
    model: [],
    reports: ['model'],
    transport: ['model'],
    stages: ['model', 'transport'],
    probes: ['model', 'transport', 'stages'],
    diagnosis: ['model', 'transport', 'probes'],
    run: ['model', 'transport', 'stages', 'probes', 'diagnosis'],
    far: ['model', 'transport', 'run'],
  },
  reach: {
    'seen.ts': [],
    'semantics.ts': [],
    read: ['semantics.ts'],
    sets: ['packet-rule.ts'],
    rules: ['read', 'sets', 'semantics.ts', 'packet-rule.ts'],
    ways: ['read', 'sets', 'rules', 'semantics.ts', 'packet-rule.ts'],
    'report-schema.ts': [],
    reports: ['report-schema.ts', 'sets', 'packet-rule.ts'],
  },
  review: {
    types: [],
    'effective-rules': ['types'],
    stacks: ['effective-rules', 'packet-changes.ts'],
    changes: ['types', 'effective-rules', 'stacks', ...ROWS],
    found: ['types', 'effective-rules', 'stacks', 'changes', ...ROWS],
    plan: ['types', 'effective-rules', 'stacks', 'changes', ...ROWS],
    decision: ['types', 'effective-rules', 'stacks', ...ROWS],
    reports: ['decision', ...ROWS],
  },
  rehearse: {
    ways: ['read-trees.ts'],
    timeline: ['ways', 'read-trees.ts', 'report-schema.ts'],
    stage: ['ways', 'timeline', 'read-trees.ts', 'report-schema.ts'],
    report: ['ways', 'timeline', 'read-trees.ts', 'report-schema.ts'],
  },
  sandbox: {
    listeners: ['json.ts'],
    faults: ['listeners', 'surroundings.ts'],
    cloud: ['listeners', 'faults/cloud-faults.ts', 'surroundings.ts', 'json.ts'],
    network: ['cloud', 'listeners', 'faults', 'surroundings.ts', 'json.ts'],
    service: ['listeners', 'faults', 'surroundings.ts', 'json.ts'],
    plugin: [
      'cloud',
      'network',
      'service',
      'listeners',
      'faults',
      'surroundings.ts',
      'json.ts',
      'state-folder.ts',
    ],
    provider: ['listeners', 'json.ts'],
    terraform: ['provider', 'json.ts', 'state-folder.ts'],
  },
};

const rooms = Object.entries(ROOMS).flatMap(([part, mayImport]) =>
  Object.entries(mayImport).map(([room, others]) => ({
    name: `rooms-of-${part}-${room}`,
    severity: 'error',
    from: { path: `^src/${part}/${room}(/|$)` },
    to: {
      path: `^src/${part}/`,
      pathNot: [room, ...others].map((other) => `^src/${part}/${other}(/|$)`),
    },
  })),
);

/** The floors inside a part, lowest first: a path may import what is below it, and its own floor. */
const FLOORS = {
  cloud: [['table/'], ['config.ts'], ['resource.ts', 'cloud-provider.ts']],
  'cloud-control': [
    ['transport.ts', 'sign-request.ts'],
    ['provider-settings.ts'],
    ['cloud-reader.ts'],
  ],
  render: [
    ['model.ts'],
    ['select-rules.ts'],
    ['network-policies.ts'],
    ['kubernetes-check.ts'],
    ['target-table.ts'],
  ],
  service: [
    ['http/'],
    ['open-files.ts', 'api-response.ts', 'single-flight.ts'],
    ['token/'],
    ['chat/', 'workspaces.ts'],
    ['service-client.ts', 'user-id-header.ts'],
    ['index.ts'],
  ],
};

const floors = Object.entries(FLOORS).flatMap(([part, levels]) =>
  levels.slice(0, -1).map((paths, level) => ({
    name: `floors-of-${part}-${level + 1}`,
    severity: 'error',
    from: { path: paths.map((path) => `^src/${part}/${path}`) },
    to: {
      path: levels
        .slice(level + 1)
        .flat()
        .map((path) => `^src/${part}/${path}`),
    },
  })),
);

/** Packages that only some parts may use, so that nobody else has to install or load them. */
const packages = [
  ['cdktf', '^node_modules/(cdktf|constructs|@cdktf)/', '^src/(cloud|constructs)/|^stacks/'],
  [
    'sandbox',
    '^node_modules/(@grpc|protobufjs|@msgpack|dns-packet|@peculiar|reflect-metadata|rfc6902)/',
    '^src/sandbox/',
  ],
  ['commander', '^node_modules/commander/', '^src/cli/'],
  ['jose', '^node_modules/jose/', '^src/(service|sandbox)/'],
  ['undici', '^node_modules/undici/', '^src/(service|cloud-control)/'],
].map(([name, path, pathNot]) => ({
  name: `only-some-use-${name}`,
  severity: 'error',
  from: { path: '^(src|stacks)/', pathNot },
  to: { path },
}));

/** A library is installed with the user's version of undici, whose files may lie elsewhere. */
const UNDICI_BY_ITS_ENTRY = {
  name: 'undici-by-its-public-entry',
  severity: 'error',
  from: { path: '^src/' },
  to: { path: '^node_modules/undici/lib/|^undici/lib/' },
};

/** The options of a check that concern its connections are applied in one place. */
const LINKS_ARE_CONNECTED_ONCE = {
  name: 'links-are-connected-by-connect-link',
  severity: 'error',
  from: {
    path: '^src/verify/',
    // The second stands in for a load balancer, which no option of a check concerns.
    pathNot: ['transport/connect-link', 'run/check-backends'].map((file) => `^src/verify/${file}`),
  },
  to: { path: '^src/service/http/connection', dependencyTypesNot: ['type-only'] },
};

module.exports = {
  forbidden: [
    UNLISTED,
    LINKS_ARE_CONNECTED_ONCE,
    UNDICI_BY_ITS_ENTRY,
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { path: '^src/', circular: true },
    },
    {
      name: 'nothing-imports-the-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'stacks-import-the-package-by-name',
      severity: 'error',
      from: { path: '^stacks/' },
      to: { path: '^src/' },
    },
    ...arrows,
    ...rooms,
    ...floors,
    ...packages,
  ],
  options: {
    doNotFollow: { path: '^(node_modules|dist)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
