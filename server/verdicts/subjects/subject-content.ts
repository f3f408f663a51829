import { z } from 'zod';
import type { AnyKind } from '../../verifiers';
import { WorkFacts } from '../input';

/**
 * The stored content of a subject: the part that its kind reads, and the facts that the engine
 * reads.
 */
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
