import type { Source } from '../../../server/domain';
import { type AnnotatedText, readTexts } from './annotation';
import type { Table } from '../table';

/** One kind of table, its sources as a model received them, and texts written from it. */
export interface AuditedShape {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly sources: readonly Source[];
  readonly texts: readonly AnnotatedText[];
}

export function auditedShape(
  name: string,
  tables: readonly Table[],
  sources: readonly Source[],
  block: string,
): AuditedShape {
  return { name, tables, sources, texts: readTexts(block) };
}
