/**
 * The field numbers of OTLP's messages (opentelemetry-proto 1.x: trace.proto, logs.proto,
 * common.proto, resource.proto), to distinguish a known field of a wrong wire type from an unknown
 * field.
 */
import { fieldMask } from './wire';

export const spanFields = fieldMask(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
export const logFields = fieldMask(1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12);
export const eventFields = fieldMask(1, 2, 3, 4);
export const statusFields = fieldMask(2, 3);
export const pairFields = fieldMask(1, 2);
export const valueFields = fieldMask(1, 2, 3, 4, 5, 6, 7);
export const listFields = fieldMask(1);
export const resourceFields = fieldMask(1, 2);
export const scopeFields = fieldMask(1, 2, 3, 4);
/**
 * ResourceSpans (resource, scope_spans, schema_url), ScopeSpans (scope, spans, schema_url), and
 * their counterparts of logs have the same numbers.
 */
export const groupFields = fieldMask(1, 2, 3);
