interface Semantic {
  readonly name: string;
  /** The behaviour, in one sentence. */
  readonly rule: string;
  /** The source: a file of the provider, 0.0.53, or of a library that it is built with. */
  readonly source: string;
}

const GENERIC = 'volcenginecc internal/generic';
const FRAMEWORK = 'terraform-plugin-framework 1.15.0';

/**
 * Behaviour of the genuine provider beyond its schema, which the stand-in follows. The tests show each
 * row by its name.
 */
export const SEMANTICS = [
  {
    name: 'set-refill',
    rule: 'If Terraform finds no identical member in the prior state, whatever a member of a set leaves out is taken from the member that had the same index before.',
    source: `${FRAMEWORK} internal/fwserver/attribute_plan_modification.go, NestingModeSet`,
  },
  {
    name: 'kept-value',
    rule: 'An attribute that is removed from the configuration keeps its value: nothing changes in the cloud.',
    source: `${FRAMEWORK} resource/schema/stringplanmodifier/use_state_for_unknown.go`,
  },
  {
    name: 'kept-tags',
    rule: 'Removing all tags from the configuration changes nothing, without a warning.',
    source: `${FRAMEWORK} resource/schema/setplanmodifier/use_state_for_unknown.go`,
  },
  {
    name: 'fixed-default',
    rule: 'If `project_name` is left out, its default is planned; because the project is fixed at creation, the cloud refuses the update every time.',
    source: 'volcenginecc internal/volcengine/vpc/security_group_resource_gen.go, project_name',
  },
  {
    name: 'default-in-set',
    rule: 'In a member of a set that Terraform completed from the prior state, a default overrides what the configuration says.',
    source: `${FRAMEWORK} internal/fwschemadata/data_default.go`,
  },
  {
    name: 'empty-list',
    rule: 'An empty list or set is read back as none: every later plan shows a change.',
    source: `${GENERIC}/translate.go, valueFromRaw`,
  },
  {
    name: 'open-set-removed',
    rule: 'An update after a plan without refresh removes sets that the cloud has filled since.',
    source: `${GENERIC}/merge_state_for_sets.go`,
  },
  {
    name: 'system-tags',
    rule: 'Tags whose keys start with `sys:` or `volc:` are not read and survive an update.',
    source: `${GENERIC}/resource.go, MergeSystemTags; internal/service/cloudcontrol/find.go`,
  },
  {
    name: 'bytes',
    rule: 'The provider counts the length of a text in bytes: a Chinese character takes three.',
    source: 'terraform-plugin-framework-validators 0.18.0 stringvalidator/length_between.go',
  },
  {
    name: 'documented-limits',
    rule: 'Limits that are only documented pass validate and plan; the cloud refuses a value beyond them during the apply.',
    source: 'volcenginecc internal/volcengine/**/*_resource_gen.go, Validators',
  },
  {
    name: 'unread-members',
    rule: 'A member of a nested object that the schema does not have is dropped without a warning.',
    source: 'Terraform 1.11 internal/configs/configschema/decoder_spec.go',
  },
  {
    name: 'gone',
    rule: 'An object that no longer exists in the cloud stays in the state with a warning, and destroying it fails.',
    source: `${GENERIC}/resource.go, Read; internal/service/cloudcontrol/delete.go`,
  },
  {
    name: 'empty-import',
    rule: 'Importing an object that does not exist succeeds with a warning and leaves an empty object in the state.',
    source: `${GENERIC}/resource.go, ImportState and Read`,
  },
  {
    name: 'interrupted-create',
    rule: 'If a create is interrupted before the provider sees its task end, the object is in the cloud but not in the state.',
    source: `${GENERIC}/resource.go, Create; internal/service/cloudcontrol/delete.go, AwaitTask`,
  },
  {
    name: 'failed-update',
    rule: 'An update that fails leaves the state as it was.',
    source: `${FRAMEWORK} internal/fwserver/server_updateresource.go`,
  },
] as const satisfies readonly Semantic[];

export type SemanticName = (typeof SEMANTICS)[number]['name'];
