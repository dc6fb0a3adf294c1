import {
  App,
  type AppConfig,
  TerraformElement,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
} from 'cdktf';
import { CloudProvider, PostDeployCheck, StackAccess } from 'cdktf-secure-connectivity';
import type { Settings } from 'cdktf-secure-connectivity/settings';
import { Construct, type IConstruct } from 'constructs';
import { linksToApi } from './api-access.ts';
import { waysToPlugins } from './plugin-access.ts';

/** Settings in which a text may be `${var.NAME}`, with each variable. */
interface LoadedModule {
  readonly environment: string;
  readonly settings: Settings;
  readonly variables: readonly {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly condition: string;
    readonly rule: string;
  }[];
}

/** The app of a module: one stack, whose state, providers and variables are its callers'. */
export function moduleApp(loaded: LoadedModule, config: AppConfig): App {
  const app = new App(config);
  new ModuleStack(app, loaded);
  return app;
}

/** Everything that the settings name, by names that are those of the settings. */
export class ModuleStack extends TerraformStack {
  constructor(scope: Construct, { environment, settings, variables }: LoadedModule) {
    super(scope, environment);
    const given = new Construct(this, 'variables');
    const tokens = new Map(
      variables.map(({ name, type, description, condition, rule }) => {
        const validation = [
          { condition: `\${${condition}}`, errorMessage: `The variable ${name} ${rule}.` },
        ];
        const options = { type, nullable: false, description, validation };
        const variable = new TerraformVariable(given, name, options);
        variable.overrideLogicalId(name);
        return [`\${var.${name}}`, variable.stringValue];
      }),
    );
    this.#make(fillIn(settings, tokens) as Settings);
    this.node.addValidation({ validate: () => sameNames(this) });
  }

  #make(settings: Settings): void {
    const { region, check, keyPairs } = settings;
    StackAccess.of(this);
    new CloudProvider(this, 'cloud', { region });
    const links = linksToApi(this, settings);
    const connected = waysToPlugins(this, settings, 'plugin-network');
    if (links.length + connected.length === 0) return;
    new PostDeployCheck(this, 'check', {
      links,
      connected,
      keyPairs,
      mode: check.mode,
      runOn: check.runOn,
      waitSeconds: check.wait,
      runVia: check.runVia,
    });
  }

  /** Of the names alone that lead to an element: another one beside it changes nothing. */
  protected override allocateLogicalId(element: TerraformElement | IConstruct['node']): string {
    const { path } = element instanceof TerraformElement ? element.node : element;
    const names = path.slice(this.node.path.length + 1).split('/');
    return names
      .filter((name) => name !== 'Default')
      .join('_')
      .replaceAll(/\W/g, '_');
  }
}

function fillIn(value: unknown, tokens: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return tokens.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => fillIn(one, tokens));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, fillIn(one, tokens)] as const),
  );
}

/** Names that two elements of a type share, so that one would take the place of the other. */
function sameNames(stack: ModuleStack): string[] {
  const seen = new Map<string, string>();
  return stack.node.findAll().flatMap((one) => {
    const type = TerraformResource.isTerraformResource(one)
      ? one.terraformResourceType
      : one instanceof TerraformOutput && 'output';
    if (!type || !(one instanceof TerraformElement)) return [];
    const address = `${type}.${one.friendlyUniqueId}`;
    const other = seen.get(address);
    seen.set(address, one.node.path);
    return other === undefined
      ? []
      : [
          `\`${address}\` must be the name of one thing, got: ${one.node.path} and ${other}; give one of them another name`,
        ];
  });
}
