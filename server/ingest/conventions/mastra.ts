/**
 * Mastra: the metadata of its tracing options as `mastra.metadata.*` on every span. Everything else
 * follows OpenTelemetry. Source: mastra-ai/mastra, observability/otel-exporter/src/span-converter.ts.
 */
import type { Span } from '../span';
import type { ConventionPart } from './gen-span';
import { attributeText, under } from './read-attribute';

export function readMastra({ attributes }: Span): ConventionPart | null {
  const metadata = under(attributes, 'mastra.metadata.');
  if (metadata.size === 0) return null;
  return {
    sessionId: attributeText(metadata, 'sessionId', 'threadId'),
    userId: attributeText(metadata, 'userId', 'resourceId'),
    metadata,
  };
}
