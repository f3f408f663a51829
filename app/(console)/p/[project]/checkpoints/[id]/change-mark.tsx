const changeStyles = {
  added: { glyph: '+', word: 'added', ground: 'bg-pass-wash' },
  removed: { glyph: '−', word: 'removed', ground: 'bg-fail-wash' },
  altered: { glyph: '~', word: 'altered', ground: 'bg-accent-wash' },
} as const;

export type Change = keyof typeof changeStyles;

export const changeGround = (change: Change | null): string =>
  change === null ? '' : changeStyles[change].ground;

/**
 * The change of a part since the previous attempt: a sign, a word, and a background that only
 * repeats them.
 */
export function ChangeMark({ change, what }: { change: Change; what?: string }) {
  const { glyph, word } = changeStyles[change];
  return (
    <span className="text-12 whitespace-nowrap">
      <span aria-hidden="true" className="font-mono font-semibold">
        {glyph}
      </span>{' '}
      {word}
      {what === undefined ? null : `: ${what}`}
    </span>
  );
}
