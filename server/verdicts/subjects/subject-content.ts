import { z } from 'zod';
import type { AnyKind } from '../../verifiers';
import { WorkFacts } from '../input';

/** The stored form of a subject: the part for its kind, and the part for the engine. */
export interface SubjectContent {
  readonly subject: unknown;
  readonly facts: WorkFacts;
}

const Content = z.object({ subject: z.unknown(), facts: WorkFacts });

/** @throws ZodError on content that this release cannot read */
export function readContent(kind: AnyKind, text: string): SubjectContent {
  const { subject, facts } = Content.parse(JSON.parse(text));
  return { subject: kind.subject.parse(subject), facts };
}
