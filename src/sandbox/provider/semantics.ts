interface Semantic {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly rule: string;
  /** Where it was read: a file of the provider, 0.0.53, or of a library that it is built with. */
  readonly source: string;
}

const GENERIC = 'volcenginecc internal/generic';
const FRAMEWORK = 'terraform-plugin-framework 1.15.0';

/**
 * What the genuine provider does beyond its schema, and the stand-in after it. The tests show each
 * row by its name.
 */
export const SEMANTICS = [
  {
    name: 'set-refill',
    rule: 'What a member of a set leaves out is taken from whichever member had the same index before, where Terraform found no member that is the same.',
    source: `${FRAMEWORK} internal/fwserver/attribute_plan_modification.go, NestingModeSet`,
  },
  {
    name: 'kept-value',
    rule: 'An attribute that is left out keeps the value that it had: nothing changes in the cloud.',
    source: `${FRAMEWORK} resource/schema/stringplanmodifier/use_state_for_unknown.go`,
  },
  {
    name: 'kept-tags',
    rule: 'Leaving out all tags changes nothing, without a word.',
    source: `${FRAMEWORK} resource/schema/setplanmodifier/use_state_for_unknown.go`,
  },
  {
    name: 'fixed-default',
    rule: 'Leaving out `project_name` plans its default; as the project is fixed at creation, the cloud refuses the update, each time.',
    source: 'volcenginecc internal/volcengine/vpc/security_group_resource_gen.go, project_name',
  },
  {
    name: 'default-in-set',
    rule: 'A default inside a set is planned over what the configuration says, in a member that Terraform completed from the prior state.',
    source: `${FRAMEWORK} internal/fwschemadata/data_default.go`,
  },
  {
    name: 'empty-list',
    rule: 'An empty list or set is read back as none: it is planned as a change for ever.',
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
    rule: 'The provider counts the length of a text in bytes: a Chinese character has three.',
    source: 'terraform-plugin-framework-validators 0.18.0 stringvalidator/length_between.go',
  },
  {
    name: 'documented-limits',
    rule: 'Limits that are only documented pass validate and plan; the cloud refuses them in the apply.',
    source: 'volcenginecc internal/volcengine/**/*_resource_gen.go, Validators',
  },
  {
    name: 'unread-members',
    rule: 'A member of a nested object that the schema does not have is dropped, without a word.',
    source: 'Terraform 1.11 internal/configs/configschema/decoder_spec.go',
  },
  {
    name: 'gone',
    rule: 'An object that is gone from the cloud stays in the state with a warning, and its destruction fails.',
    source: `${GENERIC}/resource.go, Read; internal/service/cloudcontrol/delete.go`,
  },
  {
    name: 'empty-import',
    rule: 'An import of what does not exist succeeds with a warning and leaves an empty object.',
    source: `${GENERIC}/resource.go, ImportState and Read`,
  },
  {
    name: 'interrupted-create',
    rule: 'Whatever ends a create before its task is seen to end leaves the object in the cloud and not in the state.',
    source: `${GENERIC}/resource.go, Create; internal/service/cloudcontrol/delete.go, AwaitTask`,
  },
  {
    name: 'failed-update',
    rule: 'An update that fails leaves the state as it was.',
    source: `${FRAMEWORK} internal/fwserver/server_updateresource.go`,
  },
] as const satisfies readonly Semantic[];

export type SemanticName = (typeof SEMANTICS)[number]['name'];
