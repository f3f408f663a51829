import { z } from 'zod';
import type { AnySubjectKind } from '../../verifiers';
import { WorkFacts } from '../input';

export type SubjectKinds = ReadonlyMap<string, AnySubjectKind>;

/** What is stored of a subject: what its kind reads, and what the engine does. */
export interface SubjectContent {
  readonly subject: unknown;
  readonly facts: WorkFacts;
}

const Content = z.object({ subject: z.unknown(), facts: WorkFacts });

/** @throws ZodError on content that this release cannot read */
export function readContent(kind: AnySubjectKind, text: string): SubjectContent {
  const { subject, facts } = Content.parse(JSON.parse(text));
  return { subject: kind.subject.parse(subject), facts };
}
