import type { CheckpointView } from '@/app/_trpc/outputs';
import { utf16Index } from '@/server/domain';

type Claim = Extract<CheckpointView, { kind: 'synthesis' }>['claims'][number];

/** A piece of the answer; `claim` is an index into the claims, or null for other text. */
export interface ClaimPiece {
  readonly text: string;
  readonly claim: number | null;
}

/**
 * Splits an answer at its claims. Places are code points (api.md), strings here are UTF-16; the
 * answer is scanned once, forward only. A claim is not marked if it has no place, its place has
 * another text, or it overlaps an earlier one.
 */
export function splitAtClaims(answer: string, claims: readonly Claim[]): readonly ClaimPiece[] {
  const placed = claims
    .flatMap(({ start, end, text }, claim) =>
      start === null || end === null || text === '' ? [] : [{ start, end, text, claim }],
    )
    .sort((a, b) => a.start - b.start);
  const pieces: ClaimPiece[] = [];
  let [unit, point, cut] = [0, 0, 0];
  for (const { start, end, text, claim } of placed) {
    if (start < point) continue;
    unit += utf16Index(answer.slice(unit), start - point);
    point = start;
    if (!answer.startsWith(text, unit)) continue;
    if (unit > cut) pieces.push({ text: answer.slice(cut, unit), claim: null });
    pieces.push({ text, claim });
    unit += text.length;
    point = end;
    cut = unit;
  }
  if (cut < answer.length) pieces.push({ text: answer.slice(cut), claim: null });
  return pieces;
}
