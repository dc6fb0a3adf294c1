import { AnnotationMetadataEntryType } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Warnings of the constructs under a scope at synth. */
export function warningsOf(scope: IConstruct): string[] {
  return scope.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === AnnotationMetadataEntryType.WARN)
    .map(({ data }) => String(data));
}
