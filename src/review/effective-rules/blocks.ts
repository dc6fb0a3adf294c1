import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { object, text } from '../../reach/read/json.js';
import type { Block } from '../../reach/read/merge-files.js';
import { providerOf, requiredProviders } from '../../reach/read/providers.js';
import type { TerraformStackJson } from '../../reach/read/terraform-json.js';
import {
  type Fact,
  type FactRows,
  joinReadings,
  makeFacts,
  type Reading,
  toValues,
  unreadMembers,
  unreadValue,
} from '../../reach/rules/reading.js';
import { stateSettings } from '../../terraform/state-place.js';
import { isFollowed } from './moves.js';
import { isOfReview, readOutput } from './outputs.js';
import type { StackContext } from './programs/check-steps.js';
import { staysWithin } from './provider-versions.js';

/** Blocks that are no resources: who deploys what, where, and what is output afterwards. */
export function readBlocks(context: StackContext): Reading {
  const { blocks, files } = context.stack;
  const read = [...blocks].map(([where, block]) => {
    const reader = Object.hasOwn(READERS, block.kind) ? READERS[block.kind] : undefined;
    return reader?.(where, block, context) ?? unreadBlock(where, block, 'the block is not known');
  });
  return joinReadings([...read, { facts: settingsFacts(context.stack), unread: files }]);
}

type BlockReader = (where: string, block: Block, context: StackContext) => Reading;

const READERS: Readonly<Record<string, BlockReader>> = {
  '//': () => ({}),
  // Values count where they are used.
  locals: () => ({}),
  variable: (where, { body }, { stack }) => ({
    facts: isOfReview(where, stack)
      ? []
      : makeFacts({ kind: 'control', resource: where }, VARIABLE_FACTS, {
          value: 'set by the deployer',
        }),
    unread: unreadMembers(where, body, VARIABLE, 'the argument is not known'),
  }),
  output: readOutput,
  moved: readMoved,
  provider: readProvider,
  terraform: readSettings,
  module: (where, block) => unreadBlock(where, block, 'a module can open anything'),
  import: (where, block) => unreadBlock(where, block, 'it takes over an object of the cloud'),
  removed: (where, block) => unreadBlock(where, block, 'it can leave an object open and unmanaged'),
  check: (where, block) => unreadBlock(where, block, 'it reads something while it deploys'),
};

const VARIABLE_FACTS = {
  value: ['value', 'added', 'a deploy can use another value than the tree has'],
} as const;
const VARIABLE = ['//', 'default', 'description', 'type', 'sensitive', 'nullable'];

function unreadBlock(where: string, { body }: Block, why: string): Reading {
  return { unread: [unreadValue(where, undefined, why, body)] };
}

/** A move of a whole resource is followed; any other is not understood. */
function readMoved(where: string, block: Block, { stack }: StackContext): Reading {
  const { from, to, '//': _, ...others } = block.body;
  const isKnown = Object.keys(others).length === 0 && isFollowed(text(from), text(to), stack);
  return isKnown ? {} : unreadBlock(where, block, 'the move is not followed');
}

function readProvider(where: string, block: Block): Reading {
  const [name = ''] = block.labels;
  const read = PROVIDERS[name];
  if (read === undefined) return unreadBlock(where, block, 'another provider can do anything');
  return {
    facts: makeFacts({ kind: 'control', resource: where }, read, block.body),
    unread: unreadMembers(where, block.body, ['//', ...Object.keys(read)], NOT_KNOWN),
  };
}

const NOT_KNOWN = 'the setting is not known';

/** Settings by what it means when they change. */
const PROVIDERS: Readonly<Record<string, FactRows<string>>> = {
  volcenginecc: {
    region: ['region', 'any', 'it is deployed to another region'],
    assume_role: [
      'assume_role',
      'any',
      'it is deployed as someone else, perhaps in another account',
    ],
  },
  null: {},
};

const TERRAFORM = 'terraform';

function readSettings(where: string, { body }: Block): Reading {
  return {
    unread: [
      ...unreadMembers(where, body, SETTINGS, NOT_KNOWN),
      ...[...requiredProviders(body)].flatMap(([name, { value }]) => {
        const place = `${where}.required_providers.${name}`;
        return unreadMembers(place, value, ['source', 'version'], NOT_KNOWN);
      }),
    ],
  };
}

/** Reads where the state is and what makes the resources, also where the block that says it is missing. */
function settingsFacts({ blocks, resources }: TerraformStackJson): Fact[] {
  const body = blocks.get(TERRAFORM)?.body;
  const backends = Object.entries(object(object(body).backend));
  const required = requiredProviders(body);
  const used = resources.map(({ type }) => type.split('_', 1)[0] ?? '');
  const names = new Set([...required.keys(), ...used.filter((name) => name !== TERRAFORM)]);
  return [
    ...makeFacts({ kind: 'safeguard', resource: TERRAFORM }, BACKEND_FACTS, {
      state: backends
        .map(([name, config]) => `${name} ${toValues(stateSettings(name, config)).join()}`)
        .filter((state) => state !== DEFAULT_STATE),
    }),
    ...[...names].flatMap((name) => {
      const one = required.get(name) ?? providerOf(name);
      const guards = KNOWN_PROVIDERS.includes(one.source) ? 'replaced' : 'any';
      return makeFacts(
        { kind: 'control', resource: TERRAFORM, of: name },
        { provider: ['provider', guards, 'another program makes the resources'] },
        { provider: programOf(one) },
      );
    }),
  ];
}

/** Says which program makes resources: within the versions that this package writes, a lock file does. */
function programOf({ source, version }: ReturnType<typeof providerOf>): string {
  const { source: own, versions } = CLOUD_PROVIDER;
  return source === own && staysWithin(version, versions)
    ? `${source} within ${versions}`
    : `${source} ${version}`.trim();
}

const BACKEND_FACTS = {
  state: [
    'state',
    'any',
    'the state moves: the next deploy creates everything again, unless it is migrated',
  ],
} as const;

/** The state of a stack that names none. */
const DEFAULT_STATE = 'local {"path":"terraform.tfstate"}';

/** Those that this package writes. */
const KNOWN_PROVIDERS: readonly string[] = [CLOUD_PROVIDER.source, 'hashicorp/null'];

const SETTINGS = ['//', 'backend', 'required_providers'];
