import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import {
  Aspects,
  dependable,
  type ITerraformDependable,
  Lazy,
  TerraformResource,
  TerraformStack,
} from 'cdktf';
import { Construct } from 'constructs';
import type { Linked } from '../linked.js';
import { type KeyPair, keyEnvironments, verifierCommand } from './verifier-call.js';

interface PreflightProps {
  /** The constructs whose resources wait for it. */
  readonly linked: readonly Linked[];
  /** Digest of the access rules: with it, the check itself runs again. */
  readonly access: string;
  readonly keyPairs?: readonly KeyPair[];
  readonly mode: 'required' | 'report';
  /** The check runs elsewhere, so that nothing has to be proved of the network of this machine. */
  readonly isElsewhere: boolean;
  /** What runs it in place of the installed package. */
  readonly program?: string | undefined;
}

/**
 * The first thing that a deploy does: it proves that the check can run here, before anything that is
 * paid for is made. Everything of the links waits for it, and nothing of them is replaced with it.
 */
export class Preflight extends Construct {
  constructor(scope: Construct, id: string, props: PreflightProps) {
    super(scope, id);
    const { linked, access, keyPairs, mode, program, isElsewhere } = props;
    const verifier = verifierCommand(TerraformStack.of(this), program);
    const first = new Resource(this, 'Default', {
      triggers: { access, ...(keyPairs && { keys: keyPairs.map(({ kid }) => kid).join(' ') }) },
      provisioners: keyEnvironments(TerraformStack.of(this), keyPairs).map((environment) => ({
        type: 'local-exec' as const,
        // Networks may still be allowed.
        interpreter: Lazy.listValue({
          produce: () => [
            ...[...verifier, 'preflight', ...(mode === 'report' ? ['--report-only'] : [])],
            ...[...(isElsewhere ? [] : networkArguments(linked)), '--api-host'],
          ],
        }),
        command: Lazy.stringValue({ produce: () => linked[0]?.links[0]?.apiHost ?? '' }),
        environment,
      })),
    });
    const own = dependable(first);
    Aspects.of(first).add({ visit: () => letWait(linked, own) });
  }
}

/** Links that anyone may call over, or over which it is not known who may, say nothing of the place. */
function networkArguments(linked: readonly Linked[]): string[] {
  return [...new Set(linked.flatMap(({ callers = [] }) => callers))]
    .toSorted()
    .flatMap((cidr) => ['--network', cidr]);
}

/** Which resources there are is known only when every construct is complete. */
function letWait(linked: readonly Linked[], own: string): void {
  for (const resource of collectResources(linked)) {
    resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), own])];
  }
}

function collectResources(linked: readonly Linked[]): TerraformResource[] {
  return [...new Set(linked.flatMap(({ resources }) => resources))].filter(
    (resource): resource is ITerraformDependable & TerraformResource =>
      TerraformResource.isTerraformResource(resource),
  );
}
