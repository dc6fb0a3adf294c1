import { Aspects, dependable, type ITerraformDependable, type TerraformResource } from 'cdktf';

/** What a resource waits for is known only when every construct is complete. */
export function dependAtSynth(
  resource: TerraformResource,
  on: () => readonly ITerraformDependable[],
): void {
  Aspects.of(resource).add({
    visit: () => {
      resource.dependsOn = [...new Set(on())].map(dependable);
    },
  });
}
