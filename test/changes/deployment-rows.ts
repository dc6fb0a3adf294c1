import { rowsOf, type Settings, type SettingsChange } from './row.js';

const check =
  (given: Settings): SettingsChange =>
  (settings) => {
    settings.check = { wait: '5s', ...given };
  };
const required = check({ mode: 'required' });
const keys =
  (...order: readonly (0 | 1)[]): SettingsChange =>
  (settings, facts) => {
    settings.keyPairs = order.map((index) => facts.keys[index]);
  };
const withoutKeys: SettingsChange = (settings) => delete settings.keyPairs;
const role =
  (given: Settings): SettingsChange =>
  (settings) => {
    settings.assumeRole = given;
  };
const all =
  (...changes: readonly SettingsChange[]): SettingsChange =>
  (settings, facts) => {
    for (const change of changes) change(settings, facts);
  };

const DEPLOYER = { trn: 'trn:iam::2100000000:role/deployer' };
const OTHER = { trn: 'trn:iam::2100000009:role/deployer' };
const own = () => ['own'];

/** The deployer. Nothing in the cloud depends on it. */
export const ROLE = rowsOf('api-access', [
  { name: 'a role assumed', head: role(DEPLOYER), isNoOp: true },
  { name: 'another role', base: role(DEPLOYER), head: role(OTHER), isNoOp: true },
  {
    name: 'another length of the session of a role',
    base: role({ ...DEPLOYER, durationSeconds: 900 }),
    head: role({ ...DEPLOYER, durationSeconds: 1800 }),
    isNoOp: true,
  },
  {
    name: 'a role given up',
    base: role(DEPLOYER),
    head: (settings) => delete settings.assumeRole,
    isNoOp: true,
  },
  {
    name: 'a role and a tag at once',
    head: all(role(DEPLOYER), (settings) =>
      Object.assign(settings.tags as Settings, { owner: 'network' }),
    ),
  },
  {
    name: 'a role without a name',
    head: role({ trn: 'trn:iam::2100000000:user/deployer', durationSeconds: 60 }),
    outcome: { refusedAt: 'synth', message: /`assumeRole.durationSeconds` must be/ },
  },
]);

export const CHECK = rowsOf('api-access', [
  { name: 'the check required from now on', head: required, proves: own, isNoOp: true },
  {
    name: 'the check reported from now on',
    head: check({ mode: 'report' }),
    proves: own,
    isNoOp: true,
  },
  { name: 'the check given up', base: required, head: check({ mode: 'off' }), isNoOp: true },
  {
    name: 'a required check that only reports',
    base: required,
    head: check({ mode: 'report' }),
    isNoOp: true,
  },
  {
    name: 'a reported check that is required',
    base: check({ mode: 'report' }),
    head: required,
    isNoOp: true,
  },
  {
    name: 'another wait of a required check',
    base: required,
    head: check({ mode: 'required', wait: '6s' }),
    isNoOp: true,
  },
  {
    name: 'the check at every deploy',
    base: required,
    head: check({ mode: 'required', runOn: 'every-deploy' }),
    proves: own,
    isCheckedAgain: true,
    isNoOp: true,
  },
  {
    name: 'the check after a change only',
    base: check({ mode: 'required', runOn: 'every-deploy' }),
    head: required,
    proves: own,
    isNoOp: true,
  },
  {
    name: 'an endpoint without protection replaced under a required check',
    base: all(required, (settings) =>
      Object.assign(settings.serviceEndpoint as Settings, { preventDestroy: false }),
    ),
    head: (settings) => (settings.project = 'agents'),
    proves: own,
    cut: [
      {
        way: 'service-endpoint',
        from: 'delete PrivateLink::VpcEndpoint',
        until: 'never',
      },
      {
        way: 'service-endpoint-api-host',
        from: 'delete PrivateZone::Record',
        until: 'create PrivateZone::Record',
      },
    ],
  },
]);

export const KEY_PAIRS = rowsOf('api-access', [
  {
    name: 'key pairs in place of the one in the environment',
    base: required,
    head: keys(0, 1),
    proves: ({ keys: [first, second] }) => [first.kid, second.kid],
    isNoOp: true,
  },
  {
    name: 'a second key pair',
    base: all(required, keys(0)),
    head: keys(0, 1),
    proves: ({ keys: [first, second] }) => [first.kid, second.kid],
    isNoOp: true,
  },
  {
    name: 'one of two key pairs removed',
    base: all(required, keys(0, 1)),
    head: keys(1),
    proves: ({ keys: [, second] }) => [second.kid],
    isNoOp: true,
  },
  {
    name: 'one key pair in place of another',
    base: all(required, keys(0)),
    head: keys(1),
    proves: ({ keys: [, second] }) => [second.kid],
    isNoOp: true,
  },
  {
    name: 'the key pair of the environment again',
    base: all(required, keys(0, 1)),
    head: withoutKeys,
    proves: own,
    isNoOp: true,
  },
  {
    name: 'key pairs of a check that is off',
    head: keys(0, 1),
    isNoOp: true,
  },
]);
