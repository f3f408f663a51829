import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import type { StoredState } from '@/app/_ui/verdict-styles';
import { readVerifierName, titleLine } from '@/server/domain';
import { kindViews } from '@/server/verifiers/view';

/** The verifier's outcome, or the state of the work that waits for it. */
export function storedOutcome({ state, outcome }: Pick<VerdictDetail, 'state' | 'outcome'>) {
  return (state === 'settled' ? (outcome ?? 'inconclusive') : state) satisfies StoredState;
}

/** The first line of the task or of the answer; without one, the kind of work. */
export function verdictTitle(
  { excerpt, turn, kind }: Pick<VerdictDetail, 'excerpt' | 'turn' | 'kind'>,
  subject: Pick<VerdictSubject, 'content' | 'code'> | null,
): string {
  const texts = [
    excerpt,
    turn?.output,
    subject?.code?.request,
    subject?.content.title,
    subject?.content.description,
    subject?.content.outputs[0]?.text,
  ];
  for (const text of texts) {
    const line = titleLine(text);
    if (line !== null) return line;
  }
  return `${kindViews.get(kind)?.label ?? kind} without text`;
}

/** The verifier's label; one of the project keeps its slug. */
export function verifierLabel(verifier: string): string {
  const { slug } = readVerifierName(verifier);
  return kindViews.get(slug)?.label ?? slug;
}

/**
 * When the judged work was received. Work that was resent carries a later time than the verdict on
 * its first content.
 */
export function receivedAt(
  { createdAt }: Pick<VerdictDetail, 'createdAt'>,
  work: { readonly receivedAt: Date },
): Date {
  return work.receivedAt < createdAt ? work.receivedAt : createdAt;
}
