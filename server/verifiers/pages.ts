import type { AgentOutputView } from './agent-output/page';
import type { CodeView } from './code/page';
import { type ContentView, noContent } from './content-view';
import type { DecompositionView } from './decomposition/page';
import { subjectOf } from './lenient';
import { showCustomContent } from './custom';
import { type CustomDetailView, showCustomDetail } from './custom-detail';
import { type AnyKind, builtIn, builtInStoredKind } from './registry';
import type { SynthesisView } from './synthesis/page';

/** The page of a verdict at a checkpoint of a pipeline. */
export type CheckpointView = DecompositionView | AgentOutputView | SynthesisView;

export interface SubjectPages {
  readonly content: ContentView;
  /**
   * Null for kinds other than code, and if the content cannot be parsed; the same applies to
   * `checkpoint`.
   */
  readonly code: CodeView | null;
  readonly checkpoint: CheckpointView | null;
  /** The findings of a verifier that the project defined; null for those of the release. */
  readonly custom: CustomDetailView | null;
}

export interface ShownVerdict {
  /** The stored name of its subject; the slug of a verifier that the project defined. */
  readonly storedKind: string;
  /** The name of the verifier's kind; null if there is no verdict yet. */
  readonly kind: string | null;
  /** The verdict's stored member; anything, or nothing if there is no verdict yet. */
  readonly detail: unknown;
}

const byStoredKind: ReadonlyMap<string, AnyKind> = new Map(
  [...builtIn.values()].map((kind) => [builtInStoredKind(kind), kind]),
);

/**
 * How pages show a stored subject and its verdict.
 *
 * @param content the stored JSON text, `{"subject":…,"facts":…}`; content that cannot be parsed is
 * shown unchanged. Never throws
 */
export function showSubject(
  { storedKind, kind: kindName, detail }: ShownVerdict,
  content: string,
): SubjectPages {
  const kind = byStoredKind.get(storedKind);
  const subject = subjectOf(content);
  const shown = kind === undefined ? showCustomContent(subject) : kind.showContent?.(subject);
  return {
    content: shown ?? { ...noContent, other: content },
    code: kind?.showCode?.(content, detail) ?? null,
    checkpoint: kind?.showCheckpoint?.(content, detail) ?? null,
    custom: showCustomDetail(kindName, detail),
  };
}
