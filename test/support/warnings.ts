import { AnnotationMetadataEntryType } from 'cdktf';
import type { IConstruct } from 'constructs';

/** What the constructs under a scope warn of at synth. */
export function warningsOf(scope: IConstruct): string[] {
  return scope.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === AnnotationMetadataEntryType.WARN)
    .map(({ data }) => String(data));
}
