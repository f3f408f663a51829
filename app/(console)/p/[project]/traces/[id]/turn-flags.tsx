/** Reasons why a turn's verdict may be outdated. */
export function TurnFlags({ superseded, revision }: { superseded: boolean; revision: number }) {
  const flagTexts = [
    superseded
      ? 'Superseded: later spans show that this is not a separate answer. Its verdict is kept.'
      : '',
    revision > 1
      ? `This is revision ${revision}: its content has changed since it was first assembled.`
      : '',
  ].filter(Boolean);
  if (flagTexts.length === 0) return null;
  return <p className="text-ink-2 pb-2">{flagTexts.join(' ')}</p>;
}
